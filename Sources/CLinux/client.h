#pragma once
// What a client needs beside sockets: poll, terminal, signals, threads, exec.
#include <errno.h>
#include <stdbool.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Declared here because the headers hide them without _GNU_SOURCE.
extern char *secure_getenv(const char *);
extern unsigned long getauxval(unsigned long);
extern int execvpe(const char *, char *const[], char *const[]);
extern int memfd_create(const char *, unsigned int);
extern char **environ;

// AT_SECURE: whether the program has more rights than its caller.
static inline bool whorl_is_privileged(void) { return getauxval(23) != 0; }
// Hidden without _GNU_SOURCE: a child closes all but its standard streams.
#include <spawn.h>
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
static inline int whorl_close_from_3(posix_spawn_file_actions_t *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

// Glibc is imported beside this header and declares it too.
static inline char **whorl_environment(void) { return environ; }

// The arguments as the kernel laid them down (System V ABI): their number, the strings, a null, then
// the environment. They stay as long as the process; to be asked for before anything sets a
// variable, which may move the environment.
static inline char **whorl_arguments(int *count) {
  char **end = environ - 1;
  int strings = 0;
  while ((intptr_t)end[-1 - strings] != strings) strings++;
  *count = strings;
  return end - strings;
}

// `struct tm` holds a pointer; five numbers do not.
static inline bool whorl_local_time(int64_t seconds, int32_t *parts) {
  time_t time = seconds;
  struct tm tm;
  if (!localtime_r(&time, &tm)) return false;
  parts[0] = tm.tm_year + 1900;
  parts[1] = tm.tm_mon + 1;
  parts[2] = tm.tm_mday;
  parts[3] = tm.tm_hour;
  parts[4] = tm.tm_min;
  return true;
}

// A file in memory, closed on exec.
static inline int whorl_memory_file(void) { return memfd_create("whorl", 1); }
