#pragma once
// What a PAM module needs of libpam. It is linked, not left to the program: one that loads libpam by
// dlopen(3) does not lend its symbols to modules.
#include <libintl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <syslog.h>

// These are variadic, which Swift cannot call.
static inline int whorl_say(pam_handle_t *handle, int style, const char *text) {
  return pam_prompt(handle, style, NULL, "%s", dgettext("whorl", text));
}

static inline void whorl_note(pam_handle_t *handle, int priority, const char *text) {
  pam_syslog(handle, priority, "%s", text);
}
