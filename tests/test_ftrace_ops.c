/*
 * tests/test_ftrace_ops.c - requests, UFS commands and observed ops from hand-made events (CASES
 * 18, 21, 28, 29, 30 and shared/FORMATS.md 3.2).
 */
#include <criterion/criterion.h>

#include "tests/ftrace_support.h"

/* CASE 21: three commands in flight at most, whatever the names of the tasks look like. */
Test(ftrace_ops, odd_names_keep_the_queue_depth)
{
	struct run r = run_text(
		"highpool[392]-11 [002] d..1. 1.000000: ufshcd_command: send: 0:0:0:4: tag: 0, DB: "
		"0x1, size: 4096, IS: 0, LBA: 1, opcode: 0x28 (READ_10), group_id: 0x0, hwq_id: 0\n"
		"IntentService[C-12 [003] d..1. 1.000001: ufshcd_command: send: 0:0:0:4: tag: 1, "
		"DB: 0x3, size: 4096, IS: 0, LBA: 2, opcode: 0x28 (READ_10), group_id: 0x0, "
		"hwq_id: 0\n"
		"AsyncTask #2-13 [005] d..1. 1.000002: ufshcd_command: send: 0:0:0:4: tag: 2, DB: "
		"0x7, size: 4096, IS: 0, LBA: 3, opcode: 0x2a (WRITE_10), group_id: 0x0, hwq_id: "
		"0\n"
		"IntentService[C-12 [003] d..1. 1.000003: ufshcd_command: complete: 0:0:0:4: tag: "
		"1, DB: 0x5, size: 4096, IS: 0, LBA: 2, opcode: 0x28 (READ_10), group_id: 0x0, "
		"hwq_id: 0\n"
		"highpool[392]-11 [002] d..1. 1.000004: ufshcd_command: complete: 0:0:0:4: tag: 0, "
		"DB: 0x4, size: 4096, IS: 0, LBA: 1, opcode: 0x28 (READ_10), group_id: 0x0, "
		"hwq_id: 0\n"
		"highpool[392]-11 [002] d..1. 1.000005: ufshcd_command: send: 0:0:0:4: tag: 0, DB: "
		"0x5, size: 8192, IS: 0, LBA: 9, opcode: 0x28 (READ_10), group_id: 0x0, hwq_id: 0\n"
		"AsyncTask #2-13 [005] d..1. 1.000006: ufshcd_command: complete: 0:0:0:4: tag: 2, "
		"DB: 0x1, size: 4096, IS: 0, LBA: 3, opcode: 0x2a (WRITE_10), group_id: 0x0, "
		"hwq_id: 0\n"
		"highpool[392]-11 [002] d..1. 1.000007: ufshcd_command: complete: 0:0:0:4: tag: 0, "
		"DB: 0x0, size: 8192, IS: 0, LBA: 9, opcode: 0x28 (READ_10), group_id: 0x0, "
		"hwq_id: 0\n");
	static const uint16_t cpus[] = {2, 3, 5, 2};
	static const int64_t done_us[] = {4, 3, 6, 7};

	cr_assert_eq(r.ops->len, 4);
	cr_assert_eq(r.info->paired, 4);
	cr_assert_eq(r.info->unpaired, 0);
	for (unsigned int i = 0; i < 4; i++) {
		cr_assert_eq(op_at(&r, i)->cpu, cpus[i]);
		cr_assert_eq(op_at(&r, i)->done_ns, 1000000000 + done_us[i] * 1000);
	}
	cr_assert_eq(op_at(&r, 2)->kind, OP_BIO_WRITE);
	cr_assert_eq(op_at(&r, 3)->pos, 9 * 4096);
	cr_assert_eq(op_at(&r, 3)->len, 8192);
	run_free(&r);
}

/* CASE 28: device name or SCSI id, the 4.4 spelling too; a query (LBA and size -1) is no request.
 */
Test(ftrace_ops, ufs_forms)
{
	struct run r = run_text(
		"a-1 [000] ..... 1.000000: ufshcd_command: send: 13200000.ufs: tag: 10, DB: 0x400, "
		"size: 524288, IS: 0, LBA: 1085538, opcode: 0x8a (WRITE_16), group_id: 0x0\n"
		"a-1 [000] ..... 1.000001: ufshcd_command: complete_rsp: 13200000.ufs: tag: 10, "
		"DB: 0x0, size: 524288, IS: 0, LBA: 1085538, opcode: 0x8a (WRITE_16), group_id: "
		"0x0\n"
		"a-1 [000] ..... 1.000002: ufshcd_command: send_req: 0:0:0:4: tag: 10, DB: 0x400, "
		"size: 524288, IS: 0, LBA: 1085538, opcode: 0x8a (WRITE_16), group_id: 0x0, "
		"hwq_id: 7\n"
		"a-1 [000] ..... 1.000003: ufshcd_command: complete_rsp: 0:0:0:4: tag: 10, DB: "
		"0x0, size: 524288, IS: 0, LBA: 1085538, opcode: 0x8a (WRITE_16), group_id: 0x0, "
		"hwq_id: 7\n"
		"a-1 [000] ..... 1.000004: ufshcd_command: send: 1da4000.ufshc: tag: 0, DB: 0x1, "
		"size: 4096, IS: 0, LBA: 123, opcode: 0x28\n"
		"a-1 [000] ..... 1.000005: ufshcd_command: send: 1da4000.ufshc: tag: 3, DB: 0x1, "
		"size: -1, IS: 0, LBA: 18446744073709551615, opcode: 0x0\n"
		"a-1 [000] ..... 1.000006: ufshcd_command: query_send: 1da4000.ufshc: tag: 3, DB: "
		"0x1\n");

	cr_assert_eq(r.ops->len, 3);
	cr_assert_eq(r.info->paired, 2);
	cr_assert_eq(r.info->unpaired, 1);
	cr_assert_eq(r.info->broken, 0);
	for (unsigned int i = 0; i < 2; i++) {
		cr_assert_eq(op_at(&r, i)->kind, OP_BIO_WRITE);
		cr_assert_eq(op_at(&r, i)->len, 524288);
		cr_assert_eq(op_at(&r, i)->pos, INT64_C(1085538) * 4096);
		cr_assert_eq(op_at(&r, i)->done_ns - op_at(&r, i)->time_ns, 1000);
	}
	cr_assert_eq(op_at(&r, 2)->pos, 123 * 4096);
	run_free(&r);
}

/* CASE 29: an ioprio column, an atomic write, a request without read or write, io_done ignored. */
Test(ftrace_ops, requests_of_newer_kernels)
{
	struct run r = run_text(
		"a-1 [000] ..... 1.000000: block_rq_issue: 8,0 WFSU 16384 () 768 + 32 none,0,0 "
		"[a]\n"
		"a-1 [000] ..... 1.000010: block_rq_complete: 8,0 WFSU () 768 + 32 none,0,0 [0]\n"
		"a-1 [000] ..... 1.000020: block_rq_issue: 8,0 NS 40960 () 0 + 80 be,0,4 [a]\n"
		"a-1 [000] ..... 1.000030: block_rq_complete: 8,0 NS () 0 + 80 be,0,4 [0]\n"
		"a-1 [000] ..... 1.000031: block_io_done: 8,0 NS 0 () 0 + 0 be,0,4 [a]\n");

	cr_assert_eq(r.info->records, 5);
	cr_assert_eq(r.info->paired, 2);
	cr_assert_eq(r.ops->len, 2);
	cr_assert_eq(op_at(&r, 0)->kind, OP_BIO_WRITE);
	cr_assert_eq(op_at(&r, 0)->len, 16384);
	cr_assert_eq(op_at(&r, 0)->flags & (OP_ATOMIC | OP_FUA | OP_SYNC),
		     OP_ATOMIC | OP_FUA | OP_SYNC);
	cr_assert_eq(op_at(&r, 1)->len, 80 * 512);
	cr_assert_eq(count_of(r.info->events, "block_io_done"), 1);
	cr_assert_eq(((struct trace_rwbs *)g_hash_table_lookup(r.info->rwbs, "D NS"))->sectors, 80);
	cr_assert_eq(g_hash_table_size(r.info->rwbs), 4);
	run_free(&r);
}

/* CASE 18: sectors are where the format says; bytes that disagree are warned about. */
Test(ftrace_ops, request_bytes_against_sectors)
{
	struct run r = run_text(
		"a-1 [000] ..... 1.000000: block_rq_issue: 8,0 R 4096 () 66637712 + 8 [x]\n"
		"a-1 [000] ..... 1.000001: block_rq_issue: 8,0 R 8192 () 100 + 8 [x]\n"
		"a-1 [000] ..... 1.000002: block_rq_issue: 8,0 WS 0 () 3427120 + 16 [x]\n");

	cr_assert_eq(op_at(&r, 0)->pos, INT64_C(66637712) * 512);
	cr_assert_eq(op_at(&r, 0)->len, 4096);
	cr_assert_eq(op_at(&r, 2)->len, 8192); /* 3.x prints 0 bytes */
	cr_assert_eq(
		count_warnings(&r, "8192 bytes says it has 4096 bytes in sectors at sector 100"),
		1);
	cr_assert_eq(count_warnings(&r, "in sectors"), 1);
	cr_assert_eq(((struct trace_rwbs *)g_hash_table_lookup(r.info->rwbs, "D R"))->count, 2);
	cr_assert_eq(((struct trace_rwbs *)g_hash_table_lookup(r.info->rwbs, "D R"))->sectors, 16);
	run_free(&r);
}

/* CASE 30: 100 files of 100 KB, pages up to 1 MiB each in the cache: the adds tell, not i_size. */
Test(ftrace_ops, readahead_beyond_eof_is_seen)
{
	g_autoptr(GString) s = g_string_new(NULL);
	int64_t resident = 0, beyond = 0;

	for (int ino = 16; ino < 116; ino++) {
		g_string_append_printf(
			s,
			"a-1 [000] ..... 1.000000: f2fs_dataread_start: entry_name /f, offset 0, "
			"bytes 102400, cmdline a, pid 1, i_size 102400, ino %d\n",
			ino);
		for (int order = 4, ofs = 0; ofs < 1 << 20; ofs += 4096 << order)
			g_string_append_printf(
				s,
				"a-1 [000] ..... 1.000001: mm_filemap_add_to_page_cache: dev 8:0 "
				"ino %x pfn=0x1 ofs=%d order=%d\n",
				(unsigned int)ino, ofs, order);
	}
	struct run r = run_text(s->str);

	for (unsigned int i = 0; i < r.ops->len; i++) {
		const struct op *op = op_at(&r, i);

		if (op->kind != OBS_CACHE_ADD)
			continue;
		resident += op->len;
		beyond += op->pos + op->len > 102400 ? op->len : 0;
	}
	cr_assert_eq(resident, INT64_C(100) << 20);
	cr_assert_eq(beyond, INT64_C(100) * 15 * 65536); /* all but the first 64 KiB folio */
	cr_assert_eq(count_kind(&r, OBS_SIZE), 100);
	run_free(&r);
}

Test(ftrace_ops, observed_ops)
{
	struct run r = run_text(
		"a-1 [000] ..... 1.000000: mm_filemap_add_to_page_cache: dev 259:0 ino 1d pfn=0x1 "
		"ofs=65536 order=6\n"
		"a-1 [000] ..... 1.000001: mm_filemap_delete_from_page_cache: dev 8:0 ino 2c "
		"page=0x0 pfn=2586272 ofs=4096\n"
		"a-1 [000] ..... 1.000002: writeback_dirty_page: bdi 259:0: ino=29 index=17\n"
		"a-1 [000] ..... 1.000003: writeback_dirty_folio: bdi (unknown): ino=5 index=1\n"
		"a-1 [000] ..... 1.000004: f2fs_readpages: dev = (259,0), ino = 4, start = 32 "
		"nrpage = 8\n"
		"a-1 [000] ..... 1.000005: f2fs_submit_folio_write: dev = (259,0), ino = 4, "
		"folio_index = 0x10, oldaddr = 0xffffffff, newaddr = 0x40a00, rw = WRITE(S), type "
		"= WARM_DATA\n"
		"a-1 [000] ..... 1.000006: f2fs_submit_page_write: [FAILED TO PARSE] dev=271581184 "
		"ino=4 index=0x10 old_blkaddr=4294967295 new_blkaddr=264704 op=1 op_flags=2048 "
		"temp=1 type=0\n"
		"a-1 [000] ..... 1.000007: f2fs_map_blocks: dev = (259,0), ino = 4, file offset = "
		"32, start blkaddr = 0x40a20, len = 0x20, flags = 16, err = 0\n"
		"a-1 [000] ..... 1.000008: f2fs_map_blocks: dev = (259,0), ino = 4, file offset = "
		"32, start blkaddr = 0xffffffff, len = 0x20, flags = 16, err = 0\n"
		"a-1 [000] ..... 1.000009: f2fs_lookup_read_extent_tree_end: dev = (259,0), ino = "
		"4, pgofs = 7, read_ext_info(fofs: 4, len: 8, blk: 1000)\n"
		"a-1 [000] ..... 1.000010: f2fs_lookup_read_extent_tree_end: dev = (259,0), ino = "
		"4, pgofs = 7, read_ext_info(fofs: 0, len: 0, blk: 0)\n"
		"a-1 [000] ..... 1.000011: f2fs_iget: dev = (259,0), ino = 4, pino = 3, i_mode = "
		"0x81a4, i_size = 5000, i_nlink = 1, i_blocks = 8, i_advise = 0x0\n"
		"a-1 [000] ..... 1.000012: f2fs_iget: dev = (259,0), ino = 4, pino = 3, i_mode = "
		"0x81a4, i_size = 5000, i_nlink = 1, i_blocks = 8, i_advise = 0x0\n");
	static const struct {
		enum op_kind kind;
		uint64_t ino, aux;
		int64_t pos, len;
		uint32_t dev;
	} want[] = {
		{OBS_CACHE_ADD, 29, 0, 65536, 64 * 4096, DEVNO(259, 0)},
		{OBS_CACHE_DELETE, 44, 0, 4096, 4096, DEVNO(8, 0)},
		{OBS_DIRTY, 29, 0, 17 * 4096, 4096, DEVNO(259, 0)},
		{OBS_DIRTY, 5, 0, 4096, 4096, 0},
		{OBS_READAHEAD, 4, 0, 32 * 4096, 8 * 4096, DEVNO(259, 0)},
		{OBS_WRITE_PAGE, 4, UINT64_C(0x40a00) * 4096, 16 * 4096, 4096, DEVNO(259, 0)},
		{OBS_WRITE_PAGE, 4, UINT64_C(264704) * 4096, 16 * 4096, 4096, DEVNO(259, 0)},
		{OBS_MAP, 4, UINT64_C(0x40a20) * 4096, 32 * 4096, 32 * 4096, DEVNO(259, 0)},
		{OBS_MAP, 4, UINT64_C(1000) * 4096, 4 * 4096, 8 * 4096, DEVNO(259, 0)},
		{OBS_SIZE, 4, 0, 0, 5000, DEVNO(259, 0)},
	};

	cr_assert_eq(r.ops->len, G_N_ELEMENTS(want));
	for (unsigned int i = 0; i < r.ops->len; i++) {
		const struct op *op = op_at(&r, i);

		cr_assert_eq(op->kind, want[i].kind, "kind of op %u", i);
		cr_assert_eq(op->ino, want[i].ino, "ino of op %u", i);
		cr_assert_eq(op->aux, want[i].aux, "aux of op %u", i);
		cr_assert_eq(op->pos, want[i].pos, "pos of op %u", i);
		cr_assert_eq(op->len, want[i].len, "len of op %u", i);
		cr_assert_eq(op->dev, want[i].dev, "dev of op %u", i);
	}
	cr_assert_eq(r.info->drives, TRACE_DRIVES_OBSERVED);
	cr_assert_eq(r.info->broken, 0);
	run_free(&r);
}

/* Only what is wanted is delivered; all is counted. */
Test(ftrace_ops, want_masks_classes)
{
	static const char text[] =
		"a-1 [000] ..... 1.000000: sys_fsync(fd: 3)\n"
		"a-1 [000] ..... 1.000001: block_rq_issue: 8,0 R 4096 () 8 + 8 [x]\n"
		"a-1 [000] ..... 1.000002: writeback_dirty_folio: bdi 8:0: ino=5 index=1\n"
		"a-1 [000] ..... 1.000003: sys_fsync -> 0x0\n";

	for (unsigned int want = 0; want <= OP_CLASS_ALL; want++) {
		struct run r = run_want("want.txt", text, want);

		cr_assert_eq(r.info->records, 4);
		cr_assert_eq((int)r.ops->len, __builtin_popcount(want));
		for (unsigned int i = 0; i < r.ops->len; i++)
			cr_assert(op_class((enum op_kind)op_at(&r, i)->kind) & want);
		run_free(&r);
	}
}

/* FORMATS 3.2: 3.10 prints no '=', later kernels do; older add_to_page_cache has page= and no
 * order. */
Test(ftrace_ops, bodies_of_old_kernels)
{
	struct run r = run_text(
		"a-1 [000] d..2 1.000000: f2fs_sync_file_enter: dev = (253,2), ino 3342, pino 3, "
		"i_mode 0x81a4, i_size 12288, i_nlink 1, i_blocks 24, i_advise 0x0\n"
		"a-1 [000] d..2 1.000001: f2fs_submit_write_page: ino 3342, index 0x2, blkaddr "
		"0x1000\n"
		"a-1 [000] d..2 1.000002: mm_filemap_add_to_page_cache: dev 8:0 ino 0x2c "
		"page=ffff88 pfn=2586272 ofs=0\n");

	cr_assert_eq(r.info->broken, 0);
	cr_assert_eq(nth_of_kind(&r, OBS_SIZE, 0)->len, 12288);
	cr_assert_eq(nth_of_kind(&r, OBS_WRITE_PAGE, 0)->pos, 8192);
	cr_assert_eq(nth_of_kind(&r, OBS_WRITE_PAGE, 0)->aux, 0x1000 * 4096);
	cr_assert_eq(nth_of_kind(&r, OBS_CACHE_ADD, 0)->ino, 0x2c);
	cr_assert_eq(nth_of_kind(&r, OBS_CACHE_ADD, 0)->len, 4096);
	run_free(&r);
}
