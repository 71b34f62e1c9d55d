/*
 * sim/input.c - see sim/input.h.
 *
 * A spooled file is opened again through /proc/self/fd, which gives each reader an offset of its
 * own whether or not the file still has a name.  Devices are never copied, since /dev/zero has no
 * end; a terminal has.
 *
 * I1  a path is in spooled[] at most once.
 */
#include "sim/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/op.h"
#include "sim/tempfile.h"

#define BLOCK_BYTES 65536

struct spooled {
	char *path;
	int fd;
};

static GArray *spooled; /* struct spooled; NULL = none */

static bool fail(const char *path, GError **err)
{
	g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
	return false;
}

static int spooled_fd(const char *path)
{
	for (guint i = 0; spooled && i < spooled->len; i++) {
		const struct spooled *s = &g_array_index(spooled, struct spooled, i);

		if (!strcmp(s->path, path))
			return s->fd;
	}
	return -1;
}

static void remember(const char *path, int fd)
{
	struct spooled s = {g_strdup(path), fd};

	if (!spooled)
		spooled = g_array_new(FALSE, FALSE, sizeof(struct spooled));
	g_array_append_val(spooled, s);
}

static int reopen(int fd)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);

	return open(path, O_RDONLY | O_CLOEXEC);
}

int input_open(const char *path)
{
	int fd = spooled_fd(path);

	if (fd >= 0)
		return reopen(fd);
	return strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
}

static void close_input(int fd)
{
	if (fd != STDIN_FILENO)
		close(fd);
}

static ssize_t read_some(int fd, void *to, size_t n)
{
	ssize_t got;

	while ((got = read(fd, to, n)) < 0 && errno == EINTR)
		;
	return got;
}

static bool copy(int from, int to, int64_t max_bytes)
{
	char block[BLOCK_BYTES];
	ssize_t got = 1;

	while (max_bytes > 0 && got > 0) {
		got = read_some(from, block, (size_t)MIN(max_bytes, BLOCK_BYTES));
		if (got > 0 && !tempfile_put(to, block, (size_t)got))
			return false;
		max_bytes -= got;
	}
	return got >= 0;
}

/* Does what @fd gives end, and is then gone? */
static bool flows(int fd, const struct stat *st)
{
	return S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode) ||
	       (S_ISCHR(st->st_mode) && isatty(fd));
}

/* Standard input that is a file read by nobody yet: another description of it, or -1. */
static int standard_file(const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)
		return -1;
	return reopen(STDIN_FILENO);
}

static bool spool_copy(const char *path, int fd, int64_t max_bytes, GError **err)
{
	int to = tempfile_nameless();

	if (to < 0 || !copy(fd, to, max_bytes)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: cannot be read into a temporary file in %s: %s", path,
			    g_get_tmp_dir(), g_strerror(errno));
		if (to >= 0)
			close(to);
		return false;
	}
	remember(path, to);
	return true;
}

static bool spool(const char *path, int fd, int64_t max_bytes, GError **err)
{
	bool standard = fd == STDIN_FILENO;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail(path, err);
	int file = standard ? standard_file(&st) : -1;

	if (file >= 0)
		remember(path, file);
	else if (flows(fd, &st) || (standard && S_ISREG(st.st_mode)))
		return spool_copy(path, fd, max_bytes, err);
	return true;
}

bool input_spool(const char *path, int64_t max_bytes, GError **err)
{
	if (spooled_fd(path) >= 0)
		return true;
	int fd = input_open(path);

	if (fd < 0)
		return fail(path, err);
	bool ok = spool(path, fd, max_bytes, err);

	close_input(fd);
	return ok;
}

static char *read_text(const char *path, int fd, size_t *len, GError **err)
{
	g_autofree char *text = g_malloc(INPUT_TEXT_MAX + 2);
	size_t n = 0;
	ssize_t got = 1;

	for (; got > 0 && n <= INPUT_TEXT_MAX; n += (size_t)MAX(got, 0))
		got = read_some(fd, text + n, INPUT_TEXT_MAX + 1 - n);
	if (got < 0) {
		fail(path, err);
		return NULL;
	}
	if (n > INPUT_TEXT_MAX) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: larger than 1 MiB, too long for a scenario, a job file or a table",
			    path);
		return NULL;
	}
	text[n] = '\0';
	if (len)
		*len = n;
	return g_realloc(g_steal_pointer(&text), n + 1);
}

char *input_text(const char *path, size_t *len, GError **err)
{
	struct stat st;

	/* what cannot be text is not even opened: a tape would wind */
	if (strcmp(path, "-") && stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
	    !S_ISFIFO(st.st_mode)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: is a %s, expected a file of text", path,
			    S_ISDIR(st.st_mode) ? "folder" : "special file");
		return NULL;
	}
	if (!input_spool(path, INPUT_TEXT_MAX + 1, err))
		return NULL;
	int fd = input_open(path);

	if (fd < 0) {
		fail(path, err);
		return NULL;
	}
	char *text = read_text(path, fd, len, err);

	close_input(fd);
	return text;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

bool input_check_out(char *const *paths, const char *out, GError **err)
{
	if (g_file_test(out, G_FILE_TEST_IS_DIR)) {
		g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
			    "%s: a folder, expected a file to write", out);
		return false;
	}
	for (; *paths; paths++)
		if (same_file(*paths, out)) {
			g_set_error(err, F2SIM_ERROR, F2SIM_ERROR_INPUT,
				    "%s: is an input too, will not overwrite it", out);
			return false;
		}
	return true;
}
