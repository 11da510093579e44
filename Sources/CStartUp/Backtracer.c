#include "CStartUp.h"

char _swift_backtraceSettings[128] __attribute__((aligned(16)));

_Bool _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return 0;
}
