// The clock of the peers' measurements.
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

static inline double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
