/*
 * traces/packer.c - see traces/packer.h.
 */
#include "traces/packer.h"

#include <glib.h>
#include <string.h>

bool packer_magic(const uint8_t *head, size_t n)
{
	/* clang-format off */
	static const struct {
		size_t n;
		const char *magic;
	} packers[] = {
		{ 3, "\x1f\x8b\x08" },     /* gzip */
		{ 6, "\3757zXZ\0" },       /* xz */
		{ 4, "\x04\x22\x4d\x18" }, /* lz4 frame */
		{ 4, "\x02\x21\x4c\x18" }, /* lz4 legacy frame */
		{ 4, "\x28\xb5\x2f\xfd" }, /* zstd */
		{ 3, "BZh" },              /* bzip2 */
	};
	/* clang-format on */
	for (size_t i = 0; i < G_N_ELEMENTS(packers); i++)
		if (n >= packers[i].n && memcmp(head, packers[i].magic, packers[i].n) == 0)
			return true;
	return false;
}

bool packer_says_truncated(const char *what)
{
	return what && (strcasestr(what, "truncated") || strcasestr(what, "premature") ||
			strcasestr(what, "no progress")); /* liblzma out of input */
}
