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
#include "traces/ftrace_shape.h"

#define OPT 1u	/* may be missing */
#define LAST 2u /* from the right */

struct key {
	const char *name;
	enum ftrace_field field;
	enum ftrace_conv conv;
	unsigned int how; /* OPT, LAST */
};

#define KEYS_MAX 8

/* Where one field has several names, the later ones are tried only while it has no value. */
static const struct key bodies[FT_NR_IDS][KEYS_MAX] = {
	/* clang-format off */
	[FT_DATAREAD_START]  = { { "ino", F_INO, FTRACE_NUMBER, LAST }, { "i_size", F_SIZE, FTRACE_NUMBER, LAST },
				 { "pid", F_NR, FTRACE_SKIP, LAST }, { "cmdline", F_NR, FTRACE_SKIP, LAST },
				 { "bytes", F_LEN, FTRACE_NUMBER, LAST }, { "offset", F_POS, FTRACE_NUMBER, LAST } },
	[FT_DATAWRITE_START] = { { "ino", F_INO, FTRACE_NUMBER, LAST }, { "i_size", F_SIZE, FTRACE_NUMBER, LAST },
				 { "pid", F_NR, FTRACE_SKIP, LAST }, { "cmdline", F_NR, FTRACE_SKIP, LAST },
				 { "bytes", F_LEN, FTRACE_NUMBER, LAST }, { "offset", F_POS, FTRACE_NUMBER, LAST } },
	[FT_DATAREAD_END]    = { { "ino", F_INO, FTRACE_NUMBER, 0 }, { "offset", F_POS, FTRACE_NUMBER, 0 },
				 { "bytes", F_RESULT, FTRACE_NUMBER, 0 } },
	[FT_DATAWRITE_END]   = { { "ino", F_INO, FTRACE_NUMBER, 0 }, { "offset", F_POS, FTRACE_NUMBER, 0 },
				 { "bytes", F_RESULT, FTRACE_NUMBER, 0 } },
	[FT_FILE_WRITE_ITER] = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "offset", F_POS, FTRACE_NUMBER, 0 }, { "length", F_LEN, FTRACE_NUMBER, 0 },
				 { "written(err)", F_RESULT, FTRACE_NUMBER, OPT }, { "ret", F_RESULT, FTRACE_NUMBER, OPT } },
	[FT_DIRECT_IO_ENTER] = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "pos", F_POS, FTRACE_NUMBER, 0 }, { "len", F_LEN, FTRACE_NUMBER, 0 },
				 { "ki_flags", F_FLAGS, FTRACE_HEX, OPT } },
	[FT_WRITE_BEGIN]     = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "pos", F_POS, FTRACE_NUMBER, 0 }, { "len", F_LEN, FTRACE_NUMBER, 0 } },
	[FT_SYNC_FILE_ENTER] = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "i_mode", F_MODE, FTRACE_NUMBER, OPT }, { "i_size", F_SIZE, FTRACE_NUMBER, OPT } },
	[FT_SYNC_FILE_EXIT]  = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "datasync", F_ADVICE, FTRACE_NUMBER, OPT }, { "ret", F_RESULT, FTRACE_NUMBER, 0 } },
	[FT_LOOKUP_START]    = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "pino", F_PINO, FTRACE_NUMBER, 0 } },
	[FT_LOOKUP_END]      = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "pino", F_PINO, FTRACE_NUMBER, 0 },
				 { "ino", F_INO, FTRACE_NUMBER, LAST } },
	[FT_NEW_INODE]       = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "ret", F_RESULT, FTRACE_NUMBER, OPT } },
	[FT_IGET]            = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "i_mode", F_MODE, FTRACE_NUMBER, OPT }, { "i_size", F_SIZE, FTRACE_NUMBER, OPT } },
	[FT_UNLINK_ENTER]    = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_PINO, FTRACE_NUMBER, 0 } },
	[FT_UNLINK_EXIT]     = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "ret", F_RESULT, FTRACE_NUMBER, 0 } },
	[FT_TRUNCATE]        = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "i_mode", F_MODE, FTRACE_NUMBER, OPT }, { "i_size", F_SIZE, FTRACE_NUMBER, OPT } },
	[FT_READPAGES]       = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "start", F_POS, FTRACE_PAGES, 0 }, { "nrpage", F_LEN, FTRACE_PAGES, 0 } },
	[FT_SUBMIT_WRITE]    = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "page_index", F_POS, FTRACE_PAGES, OPT }, { "folio_index", F_POS, FTRACE_PAGES, OPT },
				 { "index", F_POS, FTRACE_PAGES, 0 },
				 { "newaddr", F_ADDR, FTRACE_PAGES, OPT }, { "new_blkaddr", F_ADDR, FTRACE_PAGES, OPT },
				 { "blkaddr", F_ADDR, FTRACE_PAGES, 0 } },
	[FT_MAP_BLOCKS]      = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "file offset", F_POS, FTRACE_PAGES, OPT }, { "m_lblk", F_POS, FTRACE_PAGES, 0 },
				 { "start blkaddr", F_ADDR, FTRACE_PAGES, OPT }, { "m_pblk", F_ADDR, FTRACE_PAGES, 0 },
				 { "len", F_LEN, FTRACE_PAGES, OPT }, { "m_len", F_LEN, FTRACE_PAGES, 0 } },
	[FT_EXTENT_END]      = { { "dev", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "fofs", F_POS, FTRACE_PAGES, 0 }, { "len", F_LEN, FTRACE_PAGES, 0 },
				 { "blk", F_ADDR, FTRACE_PAGES, 0 } },
	[FT_CACHE_ADD]       = { { "dev", F_DEV, FTRACE_DEVICE, 0 }, { "ino", F_INO, FTRACE_HEX, 0 },
				 { "ofs", F_POS, FTRACE_NUMBER, 0 }, { "order", F_LEN, FTRACE_ORDER, OPT } },
	[FT_CACHE_DELETE]    = { { "dev", F_DEV, FTRACE_DEVICE, 0 }, { "ino", F_INO, FTRACE_HEX, 0 },
				 { "ofs", F_POS, FTRACE_NUMBER, 0 }, { "order", F_LEN, FTRACE_ORDER, OPT } },
	[FT_GET_PAGES]       = { { "dev", F_DEV, FTRACE_DEVICE, 0 }, { "ino", F_INO, FTRACE_HEX, 0 },
				 { "ofs", F_POS, FTRACE_NUMBER, 0 } },
	[FT_DIRTY_FOLIO]     = { { "bdi", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 },
				 { "index", F_POS, FTRACE_PAGES, 0 } },
	[FT_MARK_INODE_DIRTY] = { { "bdi", F_DEV, FTRACE_DEVICE, OPT }, { "ino", F_INO, FTRACE_NUMBER, 0 } },
	[FT_UFSHCD_COMMAND]  = { { "tag", F_TAG, FTRACE_NUMBER, 0 }, { "size", F_LEN, FTRACE_NUMBER, 0 },
				 { "hwq_id", F_HWQ, FTRACE_NUMBER, OPT }, { "LBA", F_POS, FTRACE_NUMBER, 0 },
				 { "opcode", F_FLAGS, FTRACE_NUMBER, 0 } },
	[FT_SHRINK_INACTIVE] = { { "nr_scanned", F_LEN, FTRACE_NUMBER, 0 }, { "nr_reclaimed", F_ADDR, FTRACE_NUMBER, 0 } },
	[FT_BALANCE_DIRTY]   = { { "bdi", F_DEV, FTRACE_DEVICE, OPT }, { "pause", F_RESULT, FTRACE_NUMBER, OPT } },
	[FT_DIRTY_STATE]     = { { "dirty", F_POS, FTRACE_NUMBER, OPT }, { "bg_thresh", F_ADDR, FTRACE_NUMBER, OPT },
				 { "thresh", F_LEN, FTRACE_NUMBER, OPT } },
	/* clang-format on */
};

/* Read the values of @key in @body; *@nr of them were @found, or 0 when one is no number though its
 * key is there. */
static bool parse_keys(struct ftrace_event *e, const struct key *key, const char *body, size_t len,
		       struct ftrace_found found[KEYS_MAX], unsigned int *nr)
{
	const char *end = body + len, *limit = end, *cursor = body;
	bool odd = false;

	*nr = 0;
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
		if (p && k->conv == FTRACE_SKIP)
			continue;
		const char *number = p ? ftrace_body_skip(p) : NULL;
		if (number && ftrace_value(number, k->conv, &v)) {
			ftrace_set(e, k->field, v);
			found[(*nr)++] = (struct ftrace_found){number, k->field, k->conv};
			continue;
		}
		odd |= p != NULL;
		if (!(k->how & OPT))
			return false;
	}
	*nr = odd ? 0 : *nr;
	return true;
}

static bool parse_body(struct ftrace_shapes *shapes, struct ftrace_event *e, const char *body,
		       size_t len)
{
	struct ftrace_found found[KEYS_MAX];
	unsigned int nr;

	if (ftrace_shapes_match(shapes, e, body, len))
		return true;
	if (!parse_keys(e, bodies[e->id], body, len, found, &nr))
		return false;
	if (nr)
		ftrace_shapes_learn(shapes, e->id, body, len, found, nr);
	return true;
}

/* "send: 1da4000.ufshc: tag: ..", "complete_rsp: 0:0:0:4: tag: ..": the first word is the step. */
static bool parse_ufs(struct ftrace_shapes *shapes, struct ftrace_event *e, const char *body,
		      size_t len)
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
	return e->step == FTRACE_STEP_NONE || parse_body(shapes, e, body, len);
}

bool ftrace_event_parse(struct ftrace_shapes *shapes, struct ftrace_event *e, const char *body,
			size_t len)
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
	case FT_BIO_QUEUE:
		return ftrace_body_request(e, body);
	case FT_UFSHCD_COMMAND:
		return parse_ufs(shapes, e, body, len);
	default:
		return parse_body(shapes, e, body, len);
	}
}
