#pragma once
// What a service needs to know of its peers.
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

// `struct ucred` is hidden without _GNU_SOURCE; the kernel writes pid, uid, gid.
static inline int whorl_peer_credentials(int fd, int32_t *pid, uint32_t *uid) {
  uint32_t cred[3];
  socklen_t count = sizeof cred;
  if (getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, cred, &count) != 0) return errno;
  *pid = (int32_t)cred[0];
  *uid = cred[1];
  return 0;
}

// SO_PEERPIDFD pins the process that connected; kernels before 6.5 lack it, and there the pid is
// opened at once, at accept.
static inline int whorl_peer_pidfd(int fd, int32_t pid) {
  int pidfd = -1;
  socklen_t count = sizeof pidfd;
  if (getsockopt(fd, SOL_SOCKET, 77 /* SO_PEERPIDFD */, &pidfd, &count) == 0) return pidfd;
  if (errno != ENOPROTOOPT) return -1;
  return (int)syscall(SYS_pidfd_open, pid, 0);
}

static inline int whorl_accept(int fd) {
  extern int accept4(int, struct sockaddr *, socklen_t *, int);
  return accept4(fd, NULL, NULL, 02000000 /* SOCK_CLOEXEC */ | 04000 /* SOCK_NONBLOCK */);
}

// Bytes the peer has not read yet.
static inline int whorl_unsent(int fd) {
  int count = 0;
  return ioctl(fd, 0x5411 /* SIOCOUTQ */, &count) == 0 ? count : 0;
}

// fallocate is hidden without _GNU_SOURCE.
static inline int whorl_reserve(int fd, int64_t size) {
  return (int)syscall(SYS_fallocate, fd, 1 /* FALLOC_FL_KEEP_SIZE */, (int64_t)0, size);
}

static inline int whorl_set_limit(int resource, uint64_t value) {
  struct rlimit limit = {value, value};
  return setrlimit((enum __rlimit_resource)resource, &limit);
}
