/*
 * traces/blkaction.c - see traces/blkaction.h.
 *
 * RWBS reads left to right: F (preflush), the operation, then F (FUA), A, S, M, U.  A leading F is
 * a preflush only when an operation follows; alone it is the flush operation.  "FN" is how blkparse
 * prints a flush request: it has no letter of its own for it.
 */
#include "traces/blkaction.h"

#include <string.h>

char blk_action_letter(unsigned int code)
{
	static const char letters[] = "\0QMFGSRDCPUTIXBA";

	return code < sizeof(letters) - 1 ? letters[code] : '\0';
}

char blk_action_from_text(const char *text)
{
	if (!strcmp(text, "UT"))
		return 'T';
	return text[0] && !text[1] && strchr("QMFGSRDCPUTIXBAm", text[0]) ? text[0] : '\0';
}

/* Operation letters for @tc, without flags. */
static const char *print_op(uint32_t tc, bool has_bytes)
{
	/* clang-format off */
	static const struct {
		uint32_t tc;
		const char *text;
	} ops[] = {
		{ BLK_TC_ZONE_APPEND,    "ZA" },
		{ BLK_TC_ZONE_RESET,     "ZR" },
		{ BLK_TC_ZONE_RESET_ALL, "ZRA" },
		{ BLK_TC_ZONE_FINISH,    "ZF" },
		{ BLK_TC_ZONE_OPEN,      "ZO" },
		{ BLK_TC_ZONE_CLOSE,     "ZC" },
		{ BLK_TC_WRITE_ZEROES,   "WZ" },
		{ BLK_TC_DISCARD,        "D" },
		{ BLK_TC_WRITE,          "W" },
	};
	/* clang-format on */

	for (size_t i = 0; i < G_N_ELEMENTS(ops); i++)
		if (tc & ops[i].tc)
			return ops[i].text;
	return has_bytes ? "R" : "N";
}

void blk_rwbs_print(uint32_t tc, bool has_bytes, char text[BLK_RWBS_MAX])
{
	g_snprintf(text, BLK_RWBS_MAX, "%s%s%s%s%s%s", tc & BLK_TC_FLUSH ? "F" : "",
		   print_op(tc, has_bytes), tc & BLK_TC_FUA ? "F" : "",
		   tc & BLK_TC_AHEAD ? "A" : "", tc & BLK_TC_SYNC ? "S" : "",
		   tc & BLK_TC_META ? "M" : "");
}

/* Operation at @text into *@rwbs; returns its length, 0 when there is none. */
static size_t parse_op(const char *text, struct blk_rwbs *rwbs)
{
	/* clang-format off */
	static const struct {
		const char *text; /* longer ones first */
		enum blk_op op;
		uint32_t flags;
	} ops[] = {
		{ "ZRA", BLK_ZONE,    0 },
		{ "ZA",  BLK_WRITE,   0 },
		{ "Z",   BLK_ZONE,    0 },
		{ "WZ",  BLK_ZEROES,  0 },
		{ "DE",  BLK_DISCARD, OP_SECURE },
		{ "W",   BLK_WRITE,   0 },
		{ "R",   BLK_READ,    0 },
		{ "D",   BLK_DISCARD, 0 },
		{ "F",   BLK_FLUSH,   0 },
		{ "N",   BLK_NONE,    0 },
	};
	/* clang-format on */

	for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
		size_t len = strlen(ops[i].text);

		if (strncmp(text, ops[i].text, len))
			continue;
		rwbs->op = ops[i].op;
		rwbs->flags |= ops[i].flags;
		return text[0] == 'Z' && len == 1 && text[1] ? 2 : len;
	}
	return 0;
}

static uint32_t flag_of(char letter)
{
	switch (letter) {
	case 'F':
		return OP_FUA;
	case 'A':
		return OP_RAHEAD;
	case 'S':
		return OP_SYNC;
	case 'M':
		return OP_META;
	case 'U':
		return OP_ATOMIC;
	default:
		return 0;
	}
}

bool blk_rwbs_parse(const char *text, struct blk_rwbs *rwbs)
{
	size_t len;

	*rwbs = (struct blk_rwbs){.op = BLK_NONE};
	if (text[0] == 'F' && text[1] && strchr("WRDFNZ", text[1])) {
		rwbs->flags = OP_PREFLUSH;
		text++;
	}
	for (; !(len = parse_op(text, rwbs)) && *text; text++)
		rwbs->unknown++;
	for (text += len; *text; text++) {
		uint32_t flag = flag_of(*text);

		rwbs->flags |= flag;
		rwbs->unknown += !flag;
	}
	return len > 0;
}
