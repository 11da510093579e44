#ifndef WHORL_FAULTS_H
#define WHORL_FAULTS_H

#include <stdint.h>

/// A system call of another process, which waits for an answer.
struct faults_call {
  uint64_t id;
  int32_t process;
  int32_t number;
  uint64_t arguments[6];
};

/// The number of a system call here, -1 for one that this architecture does not have.
int faults_number(const char *name);

/// From now on the named system calls of this process wait for whoever holds the descriptor
/// that is returned; -1 with errno otherwise.
int faults_install(const char *const *names, int count);

/// Sends a descriptor over a connected socket, and takes one.
int faults_send(int socket, int descriptor);
int faults_take(int socket);

/// The next call that waits; -1 at the end of the process.
int faults_next(int listener, struct faults_call *call);

/// Lets the call go on, or makes it fail with an errno when `error` is not 0.
int faults_answer(int listener, uint64_t id, int error);

/// Answers a call as done by others, with its result.
int faults_result(int listener, uint64_t id, int64_t result);

/// The whole of `fault-launcher`: returns only what is wrong, as its status.
int faults_launch(int count, char *const *words);

/// A stream socket connected to a path by this thread as another user; -1 with errno otherwise.
int faults_connect(const char *path, uint32_t user);

#endif
