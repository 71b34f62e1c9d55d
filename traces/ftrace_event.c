/*
 * traces/ftrace_event.c - see traces/ftrace_event.h.
 *
 * bodies[] lists for each event its keys in the order they are printed; the search goes on behind
 * the last hit and starts over when the order is another.  Keys marked LAST are searched from the
 * right, because something before them (a path, a file name) can hold anything.
 * What changed between kernels is covered by OPT and by second names: 3.10 prints no device number
 * where later kernels do, 5.16 added order=, 6.x renamed page to folio, 7.1 prints ranges.
 * A key is a whole word followed by '=', ':' or blanks and a number.
 */
#include "traces/ftrace_event.h"

#include <string.h>

#include "traces/ftrace_body.h"

/* How the number behind a key becomes the value. */
enum conv {
	NUMBER, /* decimal, or hex with 0x, may be negative */
	HEX,	/* hex with or without 0x */
	PAGES,	/* NUMBER of pages, or of F2FS blocks, as bytes */
	ORDER,	/* NUMBER n is 2^n pages, as bytes */
	DEVICE, /* "(8,0)", "8:0", "8,0" or a dev_t */
	SKIP	/* only bounds the search from the right */
};

#define OPT 1u	/* may be missing */
#define LAST 2u /* from the right */

struct key {
	const char *name;
	enum ftrace_field field;
	enum conv conv;
	unsigned int how; /* OPT, LAST */
};

#define KEYS_MAX 8

/* Where one field has several names, the later ones are tried only while it has no value. */
static const struct key bodies[FT_NR_IDS][KEYS_MAX] = {
	/* clang-format off */
	[FT_DATAREAD_START]  = { { "ino", F_INO, NUMBER, LAST }, { "i_size", F_SIZE, NUMBER, LAST },
				 { "pid", F_NR, SKIP, LAST }, { "cmdline", F_NR, SKIP, LAST },
				 { "bytes", F_LEN, NUMBER, LAST }, { "offset", F_POS, NUMBER, LAST } },
	[FT_DATAWRITE_START] = { { "ino", F_INO, NUMBER, LAST }, { "i_size", F_SIZE, NUMBER, LAST },
				 { "pid", F_NR, SKIP, LAST }, { "cmdline", F_NR, SKIP, LAST },
				 { "bytes", F_LEN, NUMBER, LAST }, { "offset", F_POS, NUMBER, LAST } },
	[FT_DATAREAD_END]    = { { "ino", F_INO, NUMBER, 0 }, { "offset", F_POS, NUMBER, 0 },
				 { "bytes", F_RESULT, NUMBER, 0 } },
	[FT_DATAWRITE_END]   = { { "ino", F_INO, NUMBER, 0 }, { "offset", F_POS, NUMBER, 0 },
				 { "bytes", F_RESULT, NUMBER, 0 } },
	[FT_FILE_WRITE_ITER] = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "offset", F_POS, NUMBER, 0 }, { "length", F_LEN, NUMBER, 0 },
				 { "written(err)", F_RESULT, NUMBER, OPT }, { "ret", F_RESULT, NUMBER, OPT } },
	[FT_DIRECT_IO_ENTER] = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "pos", F_POS, NUMBER, 0 }, { "len", F_LEN, NUMBER, 0 },
				 { "ki_flags", F_FLAGS, HEX, OPT } },
	[FT_WRITE_BEGIN]     = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "pos", F_POS, NUMBER, 0 }, { "len", F_LEN, NUMBER, 0 } },
	[FT_SYNC_FILE_ENTER] = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "i_mode", F_MODE, NUMBER, OPT }, { "i_size", F_SIZE, NUMBER, OPT } },
	[FT_SYNC_FILE_EXIT]  = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "datasync", F_ADVICE, NUMBER, OPT }, { "ret", F_RESULT, NUMBER, 0 } },
	[FT_LOOKUP_START]    = { { "dev", F_DEV, DEVICE, OPT }, { "pino", F_PINO, NUMBER, 0 } },
	[FT_LOOKUP_END]      = { { "dev", F_DEV, DEVICE, OPT }, { "pino", F_PINO, NUMBER, 0 },
				 { "ino", F_INO, NUMBER, LAST } },
	[FT_NEW_INODE]       = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "ret", F_RESULT, NUMBER, OPT } },
	[FT_IGET]            = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "i_mode", F_MODE, NUMBER, OPT }, { "i_size", F_SIZE, NUMBER, OPT } },
	[FT_UNLINK_ENTER]    = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_PINO, NUMBER, 0 } },
	[FT_UNLINK_EXIT]     = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "ret", F_RESULT, NUMBER, 0 } },
	[FT_TRUNCATE]        = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "i_mode", F_MODE, NUMBER, OPT }, { "i_size", F_SIZE, NUMBER, OPT } },
	[FT_READPAGES]       = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "start", F_POS, PAGES, 0 }, { "nrpage", F_LEN, PAGES, 0 } },
	[FT_SUBMIT_WRITE]    = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "page_index", F_POS, PAGES, OPT }, { "folio_index", F_POS, PAGES, OPT },
				 { "index", F_POS, PAGES, 0 },
				 { "newaddr", F_ADDR, PAGES, OPT }, { "new_blkaddr", F_ADDR, PAGES, OPT },
				 { "blkaddr", F_ADDR, PAGES, 0 } },
	[FT_MAP_BLOCKS]      = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "file offset", F_POS, PAGES, OPT }, { "m_lblk", F_POS, PAGES, 0 },
				 { "start blkaddr", F_ADDR, PAGES, OPT }, { "m_pblk", F_ADDR, PAGES, 0 },
				 { "len", F_LEN, PAGES, OPT }, { "m_len", F_LEN, PAGES, 0 } },
	[FT_EXTENT_END]      = { { "dev", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "fofs", F_POS, PAGES, 0 }, { "len", F_LEN, PAGES, 0 },
				 { "blk", F_ADDR, PAGES, 0 } },
	[FT_CACHE_ADD]       = { { "dev", F_DEV, DEVICE, 0 }, { "ino", F_INO, HEX, 0 },
				 { "ofs", F_POS, NUMBER, 0 }, { "order", F_LEN, ORDER, OPT } },
	[FT_CACHE_DELETE]    = { { "dev", F_DEV, DEVICE, 0 }, { "ino", F_INO, HEX, 0 },
				 { "ofs", F_POS, NUMBER, 0 }, { "order", F_LEN, ORDER, OPT } },
	[FT_GET_PAGES]       = { { "dev", F_DEV, DEVICE, 0 }, { "ino", F_INO, HEX, 0 },
				 { "ofs", F_POS, NUMBER, 0 } },
	[FT_DIRTY_FOLIO]     = { { "bdi", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 },
				 { "index", F_POS, PAGES, 0 } },
	[FT_MARK_INODE_DIRTY] = { { "bdi", F_DEV, DEVICE, OPT }, { "ino", F_INO, NUMBER, 0 } },
	[FT_UFSHCD_COMMAND]  = { { "tag", F_TAG, NUMBER, 0 }, { "size", F_LEN, NUMBER, 0 },
				 { "hwq_id", F_HWQ, NUMBER, OPT }, { "LBA", F_POS, NUMBER, 0 },
				 { "opcode", F_FLAGS, NUMBER, 0 } },
	/* clang-format on */
};

static bool read_value(const char *p, enum conv conv, uint64_t *v)
{
	if (conv == DEVICE)
		return ftrace_body_device(p, v);
	if (!ftrace_body_number(p, conv == HEX, v))
		return false;
	if (conv == ORDER) {
		if (*v > 20)
			return false;
		*v = (uint64_t)PAGE_SIZE << *v;
	} else if (conv == PAGES) {
		if (*v > (uint64_t)INT64_MAX >> PAGE_SHIFT)
			return false;
		*v <<= PAGE_SHIFT;
	}
	return true;
}

static bool parse_keys(struct ftrace_event *e, const struct key *key, const char *body, size_t len)
{
	const char *end = body + len, *limit = end, *cursor = body;

	for (int i = 0; i < KEYS_MAX && key[i].name; i++) {
		const struct key *k = &key[i];
		const char *p;
		uint64_t v;

		if (k->field < F_NR && ftrace_has(e, k->field))
			continue;
		p = k->how & LAST ? ftrace_body_rfind(body, limit, end, k->name)
				  : ftrace_body_find(body, cursor, end, k->name);
		if (p && k->how & LAST)
			limit = p - strlen(k->name);
		if (p && !(k->how & LAST))
			cursor = p;
		if (p && k->conv == SKIP)
			continue;
		if (p && read_value(ftrace_body_skip(p), k->conv, &v))
			ftrace_set(e, k->field, v);
		else if (!(k->how & OPT))
			return false;
	}
	return true;
}

/* "send: 1da4000.ufshc: tag: ..", "complete_rsp: 0:0:0:4: tag: ..": the first word is the step. */
static bool parse_ufs(struct ftrace_event *e, const char *body, size_t len)
{
	/* clang-format off */
	static const struct {
		const char *name;
		enum ftrace_step step;
	} steps[] = {
		{ "send:", FTRACE_STEP_SEND },         { "send_req:", FTRACE_STEP_SEND },
		{ "complete:", FTRACE_STEP_COMPLETE }, { "complete_rsp:", FTRACE_STEP_COMPLETE },
	};
	/* clang-format on */
	e->step = FTRACE_STEP_NONE;
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
		if (!strncmp(body, steps[i].name, strlen(steps[i].name)))
			e->step = steps[i].step;
	return e->step == FTRACE_STEP_NONE || parse_keys(e, bodies[FT_UFSHCD_COMMAND], body, len);
}

bool ftrace_event_parse(struct ftrace_event *e, const char *body, size_t len)
{
	uint64_t v;

	e->has = 0;
	switch (e->id) {
	case FT_SYS_ENTER:
		return ftrace_body_args(e, body);
	case FT_SYS_EXIT:
		if (!ftrace_body_number(body, false, &v))
			return false;
		ftrace_set(e, F_RESULT, v);
		return true;
	case FT_RQ_ISSUE:
	case FT_RQ_COMPLETE:
	case FT_RQ_REQUEUE:
		return ftrace_body_request(e, body);
	case FT_UFSHCD_COMMAND:
		return parse_ufs(e, body, len);
	default:
		return parse_keys(e, bodies[e->id], body, len);
	}
}
