/// A failing disk on demand: preloaded, it counts the calls that touch files under $FAULT_DIR and makes the
/// k-th one fail.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
//
// Counted, from 1: open (also openat, creat), write (pwrite, writev), fsync (fdatasync), close, rename
// (renameat), link (linkat), ftruncate.
//   FAULT_KILL_AT=k   SIGKILL just before the k-th call
//   FAULT_TORN=1      ... and if that is a write, after half of it
//   FAULT_AT=k        the k-th call fails with FAULT_ERRNO; a failing close still closes, as Linux does
//   FAULT_STICKY=1    and every later one
//   FAULT_ONLY=name   only calls of this name fail (they are counted all the same)
//   FAULT_SHORT=n     a write takes n bytes at most: the k-th one when FAULT_AT is set, otherwise every one
//   FAULT_SLOW=n      every fsync takes n milliseconds longer
//   FAULT_FILE=text   only files whose name contains the text are counted
//   FAULT_TRACE=file  appends a line "k name path" per call; unlink (unlinkat) is traced too, as call 0
// Calls inside the C library (stdio) do not pass here: files that must not be lost are written with write(2).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { max_descriptors = 4096 };
static char* watched[max_descriptors];  // the path of a descriptor under FAULT_DIR
static long calls;

static long number(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : 0;
}

static int is_watched(const char* path) {
  const char* folder = getenv("FAULT_DIR");
  const char* part = getenv("FAULT_FILE");
  if (!folder || !path) return 0;
  const size_t n = strlen(folder);
  if (strncmp(path, folder, n) != 0 || (path[n] != '/' && path[n] != '\0')) return 0;
  return !part || strstr(path, part) != NULL;
}

/// The absolute path of a name in an open folder, in `buffer` unless it is absolute already.
static const char* resolved(int folder, const char* path, char* buffer) {
  // An open file by its number: what a library is told to write into.
  if (path && strncmp(path, "/proc/self/fd/", 14) == 0) {
    const ssize_t n = readlink(path, buffer, PATH_MAX - 1);
    if (n <= 0) return path;
    buffer[n] = '\0';
    return buffer;
  }
  if (!path || path[0] == '/' || folder == AT_FDCWD) return path;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  const ssize_t n = readlink(link, buffer, PATH_MAX - 1);
  if (n <= 0) return path;
  snprintf(buffer + n, PATH_MAX, "/%s", path);
  return buffer;
}

static void trace(long k, const char* name, const char* path) {
  const char* file = getenv("FAULT_TRACE");
  if (!file) return;
  char line[PATH_MAX + 64];
  const int n = snprintf(line, sizeof line, "%ld %s %s\n", k, name, path);
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0) return;
  if (syscall(SYS_write, fd, line, (size_t)n) < 0) abort();
  syscall(SYS_close, fd);
}

/// Counts one call; 1 when it must fail, with errno set. `length` of a write is cut when it must be short.
static int fault(const char* name, const char* path, int fd, const void* bytes, size_t* length) {
  const long k = __sync_add_and_fetch(&calls, 1);
  trace(k, name, path);
  if (k == number("FAULT_KILL_AT")) {
    if (bytes && number("FAULT_TORN") && syscall(SYS_write, fd, bytes, *length / 2) < 0) abort();
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  const long at = number("FAULT_AT"), most = number("FAULT_SHORT");
  const char* only = getenv("FAULT_ONLY");
  const int now = (at == 0 && most > 0) || k == at || (at > 0 && k > at && number("FAULT_STICKY"));
  if (!now || (only && strcmp(only, name) != 0)) return 0;
  if (most > 0) {
    if (length && *length > (size_t)most) *length = (size_t)most;
    return 0;
  }
  errno = (int)number("FAULT_ERRNO");
  return errno != 0;
}

#define NEXT(type, name)        \
  static type (*next)() = NULL; \
  if (!next) next = (type(*)())dlsym(RTLD_NEXT, name)

static void watch(int fd, const char* path) {
  if (fd >= 0 && fd < max_descriptors) {
    free(watched[fd]);
    watched[fd] = strdup(path);
  }
}

static const char* path_of(int fd) { return fd >= 0 && fd < max_descriptors ? watched[fd] : NULL; }

static int open_any(int folder, const char* path, int flags, mode_t mode) {
  // Tests name FAULT_DIR and the files in it by absolute paths.
  char buffer[2 * PATH_MAX];
  const char* whole = resolved(folder, path, buffer);
  const int mine = is_watched(whole);
  if (mine && fault("open", whole, -1, NULL, NULL)) return -1;
  const int fd = (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
  if (fd >= 0 && mine) watch(fd, whole);
  return fd;
}

#define MODE(flags)                      \
  mode_t mode = 0;                       \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest;                        \
    va_start(rest, flags);               \
    mode = va_arg(rest, mode_t);         \
    va_end(rest);                        \
  }

int open(const char* path, int flags, ...) {
  MODE(flags)
  return open_any(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE(flags)
  return open_any(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return open_any(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return open_any(folder, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char* path, mode_t mode) { return creat(path, mode); }

ssize_t write(int fd, const void* bytes, size_t length) {
  if (path_of(fd) && fault("write", path_of(fd), fd, bytes, &length)) return -1;
  return syscall(SYS_write, fd, bytes, length);
}
ssize_t pwrite(int fd, const void* bytes, size_t length, off_t at) {
  if (path_of(fd) && fault("write", path_of(fd), fd, NULL, &length)) return -1;
  return syscall(SYS_pwrite64, fd, bytes, length, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t length, off64_t at) {
  return pwrite(fd, bytes, length, at);
}
ssize_t writev(int fd, const struct iovec* pieces, int count) {
  if (path_of(fd) && fault("write", path_of(fd), fd, NULL, NULL)) return -1;
  return syscall(SYS_writev, fd, pieces, count);
}
static void wait_for_the_disk(void) {
  const long milliseconds = number("FAULT_SLOW");
  if (milliseconds > 0) usleep((useconds_t)(1000 * milliseconds));
}

int fsync(int fd) {
  if (path_of(fd)) wait_for_the_disk();
  if (path_of(fd) && fault("fsync", path_of(fd), fd, NULL, NULL)) return -1;
  return (int)syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
  if (path_of(fd) && fault("fsync", path_of(fd), fd, NULL, NULL)) return -1;
  return (int)syscall(SYS_fdatasync, fd);
}
int ftruncate(int fd, off_t length) {
  if (path_of(fd) && fault("ftruncate", path_of(fd), fd, NULL, NULL)) return -1;
  return (int)syscall(SYS_ftruncate, fd, length);
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }
int close(int fd) {
  NEXT(int, "close");
  if (!path_of(fd)) return next(fd);
  const int failed = fault("close", path_of(fd), fd, NULL, NULL);
  const int reason = errno;
  free(watched[fd]);
  watched[fd] = NULL;
  const int result = next(fd);
  if (failed) errno = reason;
  return failed ? -1 : result;
}

int rename(const char* from, const char* to) {
  NEXT(int, "rename");
  return is_watched(to) && fault("rename", to, -1, NULL, NULL) ? -1 : next(from, to);
}
int renameat(int a, const char* from, int b, const char* to) {
  NEXT(int, "renameat");
  char buffer[2 * PATH_MAX];
  const char* whole = resolved(b, to, buffer);
  return is_watched(whole) && fault("rename", whole, -1, NULL, NULL) ? -1 : next(a, from, b, to);
}
int link(const char* from, const char* to) {
  NEXT(int, "link");
  return is_watched(to) && fault("link", to, -1, NULL, NULL) ? -1 : next(from, to);
}
int linkat(int a, const char* from, int b, const char* to, int flags) {
  NEXT(int, "linkat");
  char buffer[2 * PATH_MAX];
  const char* whole = resolved(b, to, buffer);
  return is_watched(whole) && fault("link", whole, -1, NULL, NULL) ? -1 : next(a, from, b, to, flags);
}
int unlinkat(int folder, const char* path, int flags) {
  NEXT(int, "unlinkat");
  char buffer[2 * PATH_MAX];
  const char* whole = resolved(folder, path, buffer);
  if (is_watched(whole)) trace(0, "unlink", whole);
  return next(folder, path, flags);
}
int unlink(const char* path) {
  NEXT(int, "unlink");
  if (is_watched(path)) trace(0, "unlink", path);
  return next(path);
}
