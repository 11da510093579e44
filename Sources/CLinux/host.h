#pragma once
#include <dirent.h>
#include <grp.h>
#include <pwd.h>
#include <shadow.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/un.h>

// prctl is variadic, which Swift cannot call.
static inline int whorl_set_not_dumpable(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
