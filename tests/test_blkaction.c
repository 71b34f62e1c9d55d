/*
 * tests/test_blkaction.c - traces/blkaction.h: RWBS as the kernel and as blkparse spell it.
 */
#include "traces/blkaction.h"

#include <criterion/criterion.h>

static struct blk_rwbs rwbs(const char *text)
{
	struct blk_rwbs r;

	blk_rwbs_parse(text, &r);
	return r;
}

/* KERNEL.md 7.5, FORMATS.md 3.2 */
Test(blkaction, rwbs_reads_in_kernel_order)
{
	/* clang-format off */
	static const struct {
		const char *text;
		enum blk_op op;
		uint32_t flags;
	} cases[] = {
		{ "R",     BLK_READ,    0 },
		{ "RA",    BLK_READ,    OP_RAHEAD },
		{ "RSM",   BLK_READ,    OP_SYNC | OP_META },
		{ "WS",    BLK_WRITE,   OP_SYNC },
		{ "WFS",   BLK_WRITE,   OP_FUA | OP_SYNC },
		{ "WFSU",  BLK_WRITE,   OP_FUA | OP_SYNC | OP_ATOMIC },
		{ "FWFSM", BLK_WRITE,   OP_PREFLUSH | OP_FUA | OP_SYNC | OP_META },
		{ "D",     BLK_DISCARD, 0 },
		{ "DES",   BLK_DISCARD, OP_SECURE | OP_SYNC },
		{ "F",     BLK_FLUSH,   0 },
		{ "FS",    BLK_FLUSH,   OP_SYNC },
		{ "FF",    BLK_FLUSH,   OP_PREFLUSH },
		{ "FN",    BLK_NONE,    OP_PREFLUSH },
		{ "N",     BLK_NONE,    0 },
		{ "WZS",   BLK_ZEROES,  OP_SYNC },
		{ "ZAS",   BLK_WRITE,   OP_SYNC },
		{ "ZRA",   BLK_ZONE,    0 },
		{ "ZFS",   BLK_ZONE,    OP_SYNC },
	};
	/* clang-format on */

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct blk_rwbs r = rwbs(cases[i].text);

		cr_assert_eq(r.op, cases[i].op, "%s", cases[i].text);
		cr_assert_eq(r.flags, cases[i].flags, "%s", cases[i].text);
		cr_assert_eq(r.unknown, 0, "%s", cases[i].text);
	}
	cr_assert_eq(rwbs("WSx").op, BLK_WRITE);
	cr_assert_eq(rwbs("WSx").flags, OP_SYNC);
	cr_assert_eq(rwbs("WSx").unknown, 1);
	cr_assert_not(blk_rwbs_parse("", &(struct blk_rwbs){.op = BLK_READ}));
}

/* blkparse's fill_rwbs: KERNEL.md 7.8 */
Test(blkaction, rwbs_prints_as_blkparse_does)
{
	char text[BLK_RWBS_MAX];

	blk_rwbs_print(BLK_TC_FLUSH | BLK_TC_WRITE | BLK_TC_FUA | BLK_TC_SYNC | BLK_TC_META, true,
		       text);
	cr_assert_str_eq(text, "FWFSM");
	blk_rwbs_print(BLK_TC_FLUSH, false, text);
	cr_assert_str_eq(text, "FN");
	blk_rwbs_print(BLK_TC_AHEAD, true, text);
	cr_assert_str_eq(text, "RA");
	blk_rwbs_print(BLK_TC_DISCARD | BLK_TC_WRITE, true, text);
	cr_assert_str_eq(text, "D");
}
