#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "faults.h"

static int fail(const char *what) {
  perror(what);
  return 1;
}

int faults_launch(int count, char *const *words) {
  const char *names[32];
  int named = 0;
  if (count < 4) return 2;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(words[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, words[1]);
  for (char *rest = NULL, *name = strtok_r(words[2], ",", &rest); name != NULL && named < 32;
       name = strtok_r(NULL, ",", &rest))
    names[named++] = name;
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
    return fail("connect");
  int listener = faults_install(names, named);
  if (listener < 0) return fail("seccomp");
  if (faults_send(connection, listener) != 0) return fail("sendmsg");
  close(listener);
  close(connection);
  execv(words[3], words + 3);
  return fail(words[3]);
}
