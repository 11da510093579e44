// One client of gnome-keyring as programs are: libsecret, its connection and session kept open, a
// lookup by attributes for each read. Says "r" when ready, starts at the end of its input, and
// tells how often it read in the given seconds.
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const SecretSchema schema = {
    "org.freedesktop.Secret.Generic",
    SECRET_SCHEMA_DONT_MATCH_NAME,
    {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"account", SECRET_SCHEMA_ATTRIBUTE_STRING}}};

static void look_up(void) {
  char *secret =
      secret_password_lookup_sync(&schema, NULL, NULL, "service", "bench", "account", "bench", NULL);
  if (!secret || strlen(secret) != 32) exit(1);
  secret_password_free(secret);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 1;
  char byte;
  look_up();
  if (write(1, "r", 1) != 1 || read(0, &byte, 1) != 0) return 1;
  unsigned long count = 0;
  for (double end = now() + seconds; now() < end; count++) look_up();
  printf("%lu\n", count);
  return 0;
}
