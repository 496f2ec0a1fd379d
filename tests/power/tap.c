/* A tap between a program and the storage: every change to the files of one folder, as a record in a log.
 *
 * Loaded with LD_PRELOAD. TAP_FOLDER is the folder, TAP_LOG the log. A record is: kind (1 byte), file (8 bytes, its
 * inode), offset or size (8), length of what follows (4), and that: data, or a name, or two names with a zero between.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 1024

static int tap = -1;
static char folder[PATH_MAX];
static unsigned char watched[MOST_FILES]; /* 1: a file of the folder, 2: the folder itself */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("TAP_LOG"), *path = getenv("TAP_FOLDER");
    if (!log || !path)
        return;
    snprintf(folder, sizeof folder, "%s", path);
    tap = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void put(char kind, uint64_t file, uint64_t offset, const void *data, uint32_t length)
{
    /* One write for one record: they must not mix. */
    size_t size = 21 + (size_t)length;
    unsigned char *record = malloc(size);
    record[0] = (unsigned char)kind;
    memcpy(record + 1, &file, 8);
    memcpy(record + 9, &offset, 8);
    memcpy(record + 17, &length, 4);
    if (length)
        memcpy(record + 21, data, length);
    if (REAL(write)(tap, record, size) != (ssize_t)size)
        abort();
    free(record);
}

static uint64_t id_of(int fd)
{
    struct stat found;
    return fstat(fd, &found) ? 0 : (uint64_t)found.st_ino;
}

/* The name within the folder, or NULL. The programs under test use absolute paths. */
static const char *within(const char *path)
{
    size_t length = strlen(folder);
    if (tap < 0 || strncmp(path, folder, length))
        return NULL;
    if (!path[length])
        return "";
    return path[length] == '/' ? path + length + 1 : NULL;
}

static int opened(int fd, const char *path, int flags, int existed)
{
    const char *name = within(path);
    if (fd < 0 || fd >= MOST_FILES)
        return fd;
    watched[fd] = !name ? 0 : *name ? 1 : 2;
    /* The index of the log is mapped into memory, and made anew after every start. */
    if (name && strstr(name, "-shm"))
        watched[fd] = 0;
    if (watched[fd] != 1)
        return fd;
    if (!existed)
        put('C', id_of(fd), 0, name, (uint32_t)strlen(name));
    else if (flags & O_TRUNC)
        put('T', id_of(fd), 0, NULL, 0);
    return fd;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = va_arg(more, mode_t);                                                                            \
        va_end(more);                                                                                                  \
        int existed = access(path, F_OK) == 0;                                                                         \
        return opened(REAL(name)(path, flags, mode), path, flags, existed);                                            \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    if (fd >= 0 && fd < MOST_FILES)
        watched[fd] = 0;
    return REAL(close)(fd);
}

static int is_watched(int fd) { return tap >= 0 && fd >= 0 && fd < MOST_FILES ? watched[fd] : 0; }

ssize_t write(int fd, const void *data, size_t length)
{
    if (is_watched(fd) != 1)
        return REAL(write)(fd, data, length);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = REAL(write)(fd, data, length);
    if (done > 0)
        put('W', id_of(fd), (uint64_t)at, data, (uint32_t)done);
    return done;
}

#define PWRITE(name, offset_t)                                                                                         \
    ssize_t name(int fd, const void *data, size_t length, offset_t at)                                                 \
    {                                                                                                                  \
        ssize_t done = REAL(name)(fd, data, length, at);                                                               \
        if (done > 0 && is_watched(fd) == 1)                                                                           \
            put('W', id_of(fd), (uint64_t)at, data, (uint32_t)done);                                                   \
        return done;                                                                                                   \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset_t)                                                                                       \
    int name(int fd, offset_t size)                                                                                    \
    {                                                                                                                  \
        int failed = REAL(name)(fd, size);                                                                             \
        if (!failed && is_watched(fd) == 1)                                                                            \
            put('T', id_of(fd), (uint64_t)size, NULL, 0);                                                              \
        return failed;                                                                                                 \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

static int synced(int fd, int failed)
{
    int what = is_watched(fd);
    if (!failed && what)
        put(what == 2 ? 'D' : 'S', id_of(fd), 0, NULL, 0);
    return failed;
}
int fsync(int fd) { return synced(fd, REAL(fsync)(fd)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)(fd)); }

int rename(const char *old, const char *new)
{
    const char *from = within(old), *to = within(new);
    int failed = REAL(rename)(old, new);
    if (!failed && from && to) {
        char both[2 * PATH_MAX];
        size_t length = strlen(from);
        memcpy(both, from, length + 1);
        memcpy(both + length + 1, to, strlen(to));
        put('R', 0, 0, both, (uint32_t)(length + 1 + strlen(to)));
    }
    return failed;
}

int unlink(const char *path)
{
    const char *name = within(path);
    int failed = REAL(unlink)(path);
    if (!failed && name && !strstr(name, "-shm"))
        put('U', 0, 0, name, (uint32_t)strlen(name));
    return failed;
}

/* Copies within the kernel would pass unseen: Python falls back to reading and writing. */
ssize_t sendfile(int out, int in, off_t *at, size_t length)
{
    (void)out, (void)in, (void)at, (void)length;
    errno = EINVAL;
    return -1;
}
ssize_t sendfile64(int out, int in, off64_t *at, size_t length)
{
    (void)out, (void)in, (void)at, (void)length;
    errno = EINVAL;
    return -1;
}
