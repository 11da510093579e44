#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

struct named {
  const char *name;
  int number;
};

static const struct named calls[] = {
#ifdef SYS_open
    {"open", SYS_open},
#endif
    {"openat", SYS_openat},
    {"read", SYS_read},
    {"pread64", SYS_pread64},
    {"write", SYS_write},
    {"pwrite64", SYS_pwrite64},
    {"fsync", SYS_fsync},
    {"fdatasync", SYS_fdatasync},
    {"ftruncate", SYS_ftruncate},
    {"fallocate", SYS_fallocate},
#ifdef SYS_rename
    {"rename", SYS_rename},
#endif
    {"renameat", SYS_renameat},
#ifdef SYS_unlink
    {"unlink", SYS_unlink},
#endif
    {"unlinkat", SYS_unlinkat},
#ifdef SYS_mkdir
    {"mkdir", SYS_mkdir},
#endif
    {"mkdirat", SYS_mkdirat},
    {"mlock", SYS_mlock},
    {"sendto", SYS_sendto},
};

int faults_number(const char *name) {
  for (size_t index = 0; index < sizeof calls / sizeof *calls; index++)
    if (strcmp(calls[index].name, name) == 0) return calls[index].number;
  return -1;
}

int faults_install(const char *const *names, int count) {
  enum { limit = 64 };
  struct sock_filter program[limit + 3];
  int length = 0;
  if (count > limit / 2) {
    errno = E2BIG;
    return -1;
  }
  program[length++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int index = 0; index < count; index++) {
    int number = faults_number(names[index]);
    if (number < 0) continue;
    program[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1);
    program[length++] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  }
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {.len = (unsigned short)length, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

int faults_send(int socket, int descriptor) {
  char byte = 0;
  struct iovec data = {.iov_base = &byte, .iov_len = 1};
  union control control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

int faults_take(int socket) {
  char byte = 0;
  struct iovec data = {.iov_base = &byte, .iov_len = 1};
  union control control;
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = sizeof control};
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

int faults_next(int listener, struct faults_call *call) {
  struct seccomp_notif notification;
  memset(&notification, 0, sizeof notification);
  while (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
    // ENOENT: the process was killed while its call was on its way here.
    if (errno != EINTR && errno != ENOENT) return -1;
    if (errno == ENOENT) return -1;
    memset(&notification, 0, sizeof notification);
  }
  call->id = notification.id;
  call->process = (int32_t)notification.pid;
  call->number = notification.data.nr;
  memcpy(call->arguments, notification.data.args, sizeof call->arguments);
  return 0;
}

static int respond(int listener, struct seccomp_notif_resp *response) {
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response);
}

int faults_answer(int listener, uint64_t id, int error) {
  struct seccomp_notif_resp response = {
      .id = id,
      .error = -error,
      .flags = error == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0};
  return respond(listener, &response);
}

int faults_result(int listener, uint64_t id, int64_t result) {
  struct seccomp_notif_resp response = {.id = id, .val = result};
  return respond(listener, &response);
}

int faults_connect(const char *path, uint32_t user) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  // The library's functions would change every thread.
  syscall(SYS_setresuid, -1, user, -1);
  int status = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  int error = errno;
  syscall(SYS_setresuid, -1, 0, -1);
  if (status == 0) return descriptor;
  close(descriptor);
  errno = error;
  return -1;
}
