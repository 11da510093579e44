// A PAM module that takes the password and then stays, so that a test can look at its process.
//
// Arguments: the file to make when the password was taken; then “keep” to take it as pam_unix does,
// by pam_get_authtok, which lets libpam keep it, or “wipe” to take it from the conversation and
// leave nothing of it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int wipe(pam_handle_t *handle) {
  const struct pam_conv *conversation = NULL;
  int code = pam_get_item(handle, PAM_CONV, (const void **)&conversation);
  if (code != PAM_SUCCESS) return code;
  const struct pam_message message = {PAM_PROMPT_ECHO_OFF, "Password: "};
  const struct pam_message *messages = &message;
  struct pam_response *answer = NULL;
  code = conversation->conv(1, &messages, &answer, conversation->appdata_ptr);
  if (code != PAM_SUCCESS) return code;
  explicit_bzero(answer->resp, strlen(answer->resp));
  free(answer->resp);
  free(answer);
  return PAM_SUCCESS;
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)flags;
  if (count != 2) return PAM_SERVICE_ERR;
  const char *password = NULL;
  int code = strcmp(arguments[1], "keep") == 0
                 ? pam_get_authtok(handle, PAM_AUTHTOK, &password, NULL)
                 : wipe(handle);
  if (code != PAM_SUCCESS) return code;
  close(creat(arguments[0], 0600));
  pause();
  return PAM_SUCCESS;
}

int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **arguments) {
  (void)handle, (void)flags, (void)count, (void)arguments;
  return PAM_SUCCESS;
}
