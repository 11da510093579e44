/*
 * A PAM module that misbehaves as its arguments say:
 *   auth=CODE, account=CODE   what the phases return; 0 by default
 *   do=ACTION                 what it does in the auth phase before
 *   in=account                does it in the account phase instead
 *   file=PATH                 where it writes what it found, or makes a file when it begins
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <security/pam_appl.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static const char *argument(int count, const char **words, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < count; i++)
    if (!strncmp(words[i], name, length) && words[i][length] == '=') return words[i] + length + 1;
  return NULL;
}

static int number(int count, const char **words, const char *name) {
  const char *text = argument(count, words, name);
  return text ? atoi(text) : 0;
}

static int say(pam_handle_t *handle, int style, const char *text, char **answer) {
  const struct pam_conv *conversation = NULL;
  if (pam_get_item(handle, PAM_CONV, (const void **)&conversation) || !conversation) return -1;
  struct pam_message message = {style, text};
  const struct pam_message *messages[] = {&message};
  struct pam_response *responses = NULL;
  int code = conversation->conv(1, messages, &responses, conversation->appdata_ptr);
  if (answer && code == PAM_SUCCESS && responses) *answer = responses->resp;
  free(responses);
  return code;
}

/* The worker's socket: the one stream socket above the standard streams. */
static int worker_socket(void) {
  for (int descriptor = 3; descriptor < 64; descriptor++) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (!getsockname(descriptor, (struct sockaddr *)&address, &size)
        && address.ss_family == AF_UNIX)
      return descriptor;
  }
  return -1;
}

static void send_bytes(const char *bytes, size_t count) {
  int descriptor = worker_socket();
  if (write(descriptor, bytes, count) < 0) _exit(9);
}

static void hang(void) { for (;;) pause(); }
static void on_signal(int number) { (void)number; hang(); }
static void *spin(void *unused) { for (volatile long i = 0;; i++) {} return unused; }
static void *chatter(void *handle) {
  for (;;) say(handle, PAM_TEXT_INFO, "and another thing", NULL);
  return NULL;
}

static void write_environment(const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) _exit(9);
  for (char **entry = environ; *entry; entry++) fprintf(file, "%s\n", *entry);
  fclose(file);
}

static void write_descriptors(const char *path) {
  FILE *file = fopen(path, "we");
  if (!file) _exit(9);
  for (int descriptor = 0; descriptor < 64; descriptor++) {
    char link[64], target[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, target, sizeof target - 1);
    if (count < 0 || descriptor == fileno(file)) continue;
    target[count] = 0;
    fprintf(file, "%d %s\n", descriptor, target);
  }
  fclose(file);
}

static void take_memory(void) {
  struct rlimit limit = {512UL << 20, 512UL << 20};
  setrlimit(RLIMIT_AS, &limit);
  for (;;) {
    char *block = malloc(1 << 20);
    memset(block, 1, 1 << 20);
  }
}

static void take_signals(void) {
  for (int signal_number = 1; signal_number < 65; signal_number++) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(signal_number, &action, NULL);
  }
  /* What this thread blocks, another one gets. */
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  struct itimerval soon = {.it_value = {.tv_usec = 10000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  hang();
}

static void talk(pam_handle_t *handle, long count, int style, const char *text) {
  for (long i = 0; i < count; i++) say(handle, style, text, NULL);
}

static void talk_hugely(pam_handle_t *handle) {
  size_t count = 16 << 20;
  char *text = malloc(count + 1);
  memset(text, 'x', count);
  text[count] = 0;
  talk(handle, 3, PAM_ERROR_MSG, text);
  free(text);
}

static int act(pam_handle_t *handle, const char *action, const char *file) {
  char *answer = NULL;
  if (file) close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!strcmp(action, "segv")) raise(SIGSEGV);
  else if (!strcmp(action, "abort")) abort();
  else if (!strcmp(action, "exit")) exit(0);
  else if (!strcmp(action, "kill")) raise(SIGKILL);
  else if (!strcmp(action, "hang")) hang();
  else if (!strcmp(action, "spin")) spin(NULL);
  else if (!strcmp(action, "signals")) take_signals();
  else if (!strcmp(action, "stop")) raise(SIGSTOP);
  else if (!strcmp(action, "memory")) take_memory();
  else if (!strcmp(action, "close")) close_range(3, ~0U, 0);
  else if (!strcmp(action, "close-hang")) { close_range(0, ~0U, 0); hang(); }
  else if (!strcmp(action, "fork-hang")) { if (!fork()) hang(); }
  else if (!strcmp(action, "fork-crash")) { if (!fork()) hang(); raise(SIGKILL); }
  else if (!strcmp(action, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
  } else if (!strcmp(action, "uid")) return setuid(65534);
  else if (!strcmp(action, "user")) return pam_set_item(handle, PAM_USER, "root");
  else if (!strcmp(action, "no-user")) return pam_set_item(handle, PAM_USER, NULL);
  else if (!strcmp(action, "ask")) {
    int code = say(handle, PAM_PROMPT_ECHO_OFF, "Password: ", &answer);
    if (code) return code;
    return answer ? PAM_SUCCESS : PAM_CONV_ERR;
  } else if (!strcmp(action, "ask-aloud")) {
    say(handle, PAM_PROMPT_ECHO_ON, "Password: ", &answer);
    return answer ? PAM_SUCCESS : PAM_CONV_ERR;
  } else if (!strcmp(action, "ask-twice")) {
    say(handle, PAM_PROMPT_ECHO_OFF, "Password: ", &answer);
    return say(handle, PAM_PROMPT_ECHO_OFF, "Old password: ", &answer);
  } else if (!strcmp(action, "ask-hang")) {
    say(handle, PAM_PROMPT_ECHO_OFF, "Password: ", &answer);
    hang();
  } else if (!strcmp(action, "talk")) talk(handle, 10000, PAM_ERROR_MSG, "no");
  else if (!strcmp(action, "talk-a-little")) talk(handle, 5, PAM_ERROR_MSG, "\033]0;x\007\033[31mno");
  else if (!strcmp(action, "mismatch")) talk(handle, 200, PAM_ERROR_MSG, "Failed to match fingerprint");
  else if (!strcmp(action, "talk-for-ever")) for (;;) say(handle, PAM_TEXT_INFO, "no", NULL);
  else if (!strcmp(action, "talk-hugely")) talk_hugely(handle);
  else if (!strcmp(action, "talk-in-threads")) {
    pthread_t thread;
    pthread_create(&thread, NULL, chatter, handle);
    chatter(handle);
  } else if (!strcmp(action, "standard")) {
    for (int descriptor = 0; descriptor < 3; descriptor++)
      if (write(descriptor, "\0\0\0\6\4\0\0\0\0\5", 10) < 0 && errno != EBADF) return PAM_SYSTEM_ERR;
  } else if (!strcmp(action, "forge")) send_bytes("\0\0\0\6\4\0\0\0\0\5", 10);
  else if (!strcmp(action, "forge-name")) send_bytes("\0\0\0\x0a\5\1\0\0\0\4root", 14);
  else if (!strcmp(action, "forge-noise")) send_bytes("\0\0\0\5\377junk", 9);
  else if (!strcmp(action, "forge-length")) send_bytes("\377\377\377\377", 4);
  else if (!strcmp(action, "forge-half")) { send_bytes("\0\0\0\6\4\0", 6); _exit(0); }
  else if (!strcmp(action, "environment")) write_environment(file);
  else if (!strcmp(action, "descriptors")) write_descriptors(file);
  else return PAM_SYSTEM_ERR;
  return PAM_SUCCESS;
}

static int phase(pam_handle_t *handle, int count, const char **words, const char *name) {
  const char *action = argument(count, words, "do");
  const char *where = argument(count, words, "in");
  if (action && !strcmp(where ? where : "auth", name)) {
    int code = act(handle, action, argument(count, words, "file"));
    if (code != PAM_SUCCESS) return code;
  }
  return number(count, words, name);
}

int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **words) {
  (void)flags;
  return phase(handle, count, words, "auth");
}

int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int count, const char **words) {
  (void)flags;
  return phase(handle, count, words, "account");
}
