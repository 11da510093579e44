#pragma once
#include <security/pam_appl.h>

static void whorl_pam_delay_nothing(int status, unsigned int microseconds, void *context) {
  (void)status;
  (void)microseconds;
  (void)context;
}

// A function pointer passed as an item cannot be written in Swift without a bit cast.
static inline int whorl_pam_disable_fail_delay(pam_handle_t *handle) {
  return pam_set_item(handle, PAM_FAIL_DELAY, (const void *)whorl_pam_delay_nothing);
}
