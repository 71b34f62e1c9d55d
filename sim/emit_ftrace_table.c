/*
 * sim/emit_ftrace_table.c - name and body of each event, as Linux 6.12 prints them (KERNEL 7).
 *
 * What no model knows has one value throughout: pfn 0, the parent directory is the root (3), a
 * file's name is its number, i_mode is that of a file, cgroup 1, node 0.
 */
#include "sim/emit_ftrace_internal.h"

#define INODE                                                                                      \
	", pino = 3, i_mode = 0x81a4, i_size = %1d, i_nlink = 1, i_blocks = %1b, i_advise = 0x0"
#define START "entry_name /f%0u, offset %1d, bytes %2u, cmdline %t, pid %p, i_size %6d, ino %0u"
#define WORK                                                                                       \
	"bdi %D: sb_dev 0:0 nr_pages=%0d sync_mode=%1u kupdate=%2u range_cyclic=%3u "              \
	"background=%4u reason=%5I cgroup_ino=1"
#define VISIT                                                                                      \
	"bdi %D: ino=%0u state=%1I dirtied_when=%2u age=%3u index=%4u to_write=%5d wrote=%6u "     \
	"cgroup_ino=1"
#define BIO "%C %0R %2u + %3B [%t]"
#define REQUEST "%C %0R %3u () %2u + %3B be,0,4 [%t]"
#define GFP "gfp_flags=GFP_NOFS|__GFP_COMP"

static const char *const reasons[] = {"background", "vmscan", "sync", "periodic"};
static const char *const states[] = {"I_SYNC", "I_DIRTY_PAGES|I_SYNC"};
static const char *const lists[] = {"inactive_file", "active_file"};
static const char *const temperatures[] = {"WARM", "HOT"};

/* clang-format off */
const struct ftrace_format emit_ftrace_formats[TRACE_NR_IDS] = {
	[TRACE_F2FS_LOOKUP_START] = { "f2fs_lookup_start", ".....", "dev = (%C), pino = 3, name:f%0u, flags:257", NULL },
	[TRACE_F2FS_LOOKUP_END] = { "f2fs_lookup_end", ".....", "dev = (%C), pino = 3, name:f%0u, ino:%1N, err:-2", NULL },
	[TRACE_F2FS_NEW_INODE] = { "f2fs_new_inode", ".....", "dev = (%C), ino = %0u, ret = 0", NULL },
	[TRACE_F2FS_UNLINK_ENTER] = { "f2fs_unlink_enter", ".....", "dev = (%C), dir ino = 3, i_size = 4096, i_blocks = 8, name = f%0u", NULL },
	[TRACE_F2FS_UNLINK_EXIT] = { "f2fs_unlink_exit", ".....", "dev = (%C), ino = %0u, ret = %1d", NULL },
	[TRACE_F2FS_TRUNCATE] = { "f2fs_truncate", ".....", "dev = (%C), ino = %0u" INODE, NULL },
	[TRACE_F2FS_DATAREAD_START] = { "f2fs_dataread_start", ".....", START, NULL },
	[TRACE_F2FS_DATAREAD_END] = { "f2fs_dataread_end", ".....", "ino %0u, offset %1d, bytes %6d", NULL },
	[TRACE_F2FS_DATAWRITE_START] = { "f2fs_datawrite_start", ".....", START, NULL },
	[TRACE_F2FS_DATAWRITE_END] = { "f2fs_datawrite_end", ".....", "ino %0u, offset %1d, bytes %6d", NULL },
	[TRACE_F2FS_FILE_WRITE_ITER] = { "f2fs_file_write_iter", ".....", "dev = (%C), ino = %0u, offset = %1d, length = %2u, written(err) = %6d", NULL },
	[TRACE_F2FS_DIRECT_IO_ENTER] = { "f2fs_direct_IO_enter", ".....", "dev = (%C), ino = %0u pos = %1d len = %2u ki_flags = %5k ki_ioprio = 0 rw = %4w", NULL },
	[TRACE_F2FS_DIRECT_IO_EXIT] = { "f2fs_direct_IO_exit", ".....", "dev = (%C), ino = %0u pos = %1d len = %2u rw = %4w ret = %6d", NULL },
	[TRACE_F2FS_WRITE_BEGIN] = { "f2fs_write_begin", ".....", "dev = (%C), ino = %0u, pos = %1d, len = %2u", NULL },
	[TRACE_F2FS_WRITE_END] = { "f2fs_write_end", ".....", "dev = (%C), ino = %0u, pos = %1d, len = %2u, copied = %2u", NULL },
	[TRACE_F2FS_SYNC_FILE_ENTER] = { "f2fs_sync_file_enter", ".....", "dev = (%C), ino = %0u" INODE, NULL },
	[TRACE_F2FS_SYNC_FILE_EXIT] = { "f2fs_sync_file_exit", ".....", "dev = (%C), ino = %0u, cp_reason: no needed, datasync = %1u, ret = %2d", NULL },
	[TRACE_F2FS_READPAGES] = { "f2fs_readpages", ".....", "dev = (%C), ino = %0u, start = %1u nrpage = %2u", NULL },
	[TRACE_F2FS_MAP_BLOCKS] = { "f2fs_map_blocks", ".....", "dev = (%C), ino = %0u, file offset = %1u, start blkaddr = 0x%2x, len = 0x%3x, flags = 16, seg_type = 8, may_create = 0, multidevice = 0, flag = 0, err = 0", NULL },
	[TRACE_F2FS_WRITEPAGES] = { "f2fs_writepages", ".....", "dev = (%C), ino = %0u, DATA, FILE, nr_to_write %1d, skipped 0, start %2P, end %3E, wb_idx %2u, sync_mode %4u, kupdate 0 background %5u tagged 0 reclaim 0 cyclic %6u sync 0", NULL },
	[TRACE_F2FS_SUBMIT_PAGE_WRITE] = { "f2fs_submit_page_write", ".....", "dev = (%C), ino = %0u, page_index = 0x%1x, oldaddr = 0x%2A, newaddr = 0x%3x, rw = %4F, type = %6I_DATA", temperatures },
	[TRACE_F2FS_ISSUE_FLUSH] = { "f2fs_issue_flush", ".....", "dev = (%C), issue  with flush_merge, ret = %1d", NULL },

	[TRACE_MM_FILEMAP_ADD_TO_PAGE_CACHE] = { "mm_filemap_add_to_page_cache", ".....", "dev %D ino %0x pfn=0x0 ofs=%1P order=%2u", NULL },
	[TRACE_MM_FILEMAP_DELETE_FROM_PAGE_CACHE] = { "mm_filemap_delete_from_page_cache", "d..2.", "dev %D ino %0x pfn=0x0 ofs=%1P order=%2u", NULL },
	[TRACE_MM_FILEMAP_GET_PAGES] = { "mm_filemap_get_pages", ".....", "dev=%D ino=%0x ofs=%1d-%2d", NULL },

	[TRACE_WRITEBACK_DIRTY_FOLIO] = { "writeback_dirty_folio", "d..1.", "bdi %D: ino=%0u index=%1u", NULL },
	[TRACE_WRITEBACK_SINGLE_INODE_START] = { "writeback_single_inode_start", ".....", VISIT, states },
	[TRACE_WRITEBACK_SINGLE_INODE] = { "writeback_single_inode", ".....", VISIT, states },
	[TRACE_WRITEBACK_START] = { "writeback_start", "...1.", WORK, reasons },
	[TRACE_WRITEBACK_WRITTEN] = { "writeback_written", "...1.", WORK, reasons },
	[TRACE_WRITEBACK_QUEUE_IO] = { "writeback_queue_io", "...1.", "bdi %D: older=%0u age=%1u enqueue=%2u reason=%3I cgroup_ino=1", reasons },
	[TRACE_WRITEBACK_WAKE_BACKGROUND] = { "writeback_wake_background", ".....", "bdi %D: cgroup_ino=1", NULL },
	[TRACE_GLOBAL_DIRTY_STATE] = { "global_dirty_state", ".....", "dirty=%0u writeback=%1u bg_thresh=%2u thresh=%3u limit=%4u dirtied=%5u written=%6u", NULL },
	[TRACE_BDI_DIRTY_RATELIMIT] = { "bdi_dirty_ratelimit", "...1.", "bdi %D: write_bw=%0K awrite_bw=%1K dirty_rate=%2K dirty_ratelimit=%3K task_ratelimit=%4K balanced_dirty_ratelimit=%5K cgroup_ino=1", NULL },
	[TRACE_BALANCE_DIRTY_PAGES] = { "balance_dirty_pages", ".....", "bdi %D: limit=%0u setpoint=%1u dirty=%2u bdi_setpoint=%3u bdi_dirty=%4u dirty_ratelimit=%5K task_ratelimit=%6K dirtied=%7u dirtied_pause=%8u paused=%9u pause=%ad period=%bd think=%cd cgroup_ino=1", NULL },

	[TRACE_MM_VMSCAN_KSWAPD_WAKE] = { "mm_vmscan_kswapd_wake", ".....", "nid=0 order=%0u", NULL },
	[TRACE_MM_VMSCAN_KSWAPD_SLEEP] = { "mm_vmscan_kswapd_sleep", ".....", "nid=0", NULL },
	[TRACE_MM_VMSCAN_WAKEUP_KSWAPD] = { "mm_vmscan_wakeup_kswapd", ".....", "nid=0 order=%0u " GFP, NULL },
	[TRACE_MM_VMSCAN_DIRECT_RECLAIM_BEGIN] = { "mm_vmscan_direct_reclaim_begin", ".....", "order=%0u " GFP, NULL },
	[TRACE_MM_VMSCAN_DIRECT_RECLAIM_END] = { "mm_vmscan_direct_reclaim_end", ".....", "nr_reclaimed=%0u", NULL },
	[TRACE_MM_VMSCAN_MEMCG_RECLAIM_BEGIN] = { "mm_vmscan_memcg_reclaim_begin", ".....", "order=%0u " GFP, NULL },
	[TRACE_MM_VMSCAN_MEMCG_RECLAIM_END] = { "mm_vmscan_memcg_reclaim_end", ".....", "nr_reclaimed=%0u", NULL },
	[TRACE_MM_VMSCAN_LRU_ISOLATE] = { "mm_vmscan_lru_isolate", "d..1.", "classzone=0 order=%0u nr_requested=%1u nr_scanned=%2u nr_skipped=%3u nr_taken=%4u lru=%5I", lists },
	[TRACE_MM_VMSCAN_LRU_SHRINK_INACTIVE] = { "mm_vmscan_lru_shrink_inactive", ".....", "nid=0 nr_scanned=%0u nr_reclaimed=%1u nr_dirty=%2u nr_writeback=%3u nr_congested=%4u nr_immediate=%5u nr_activate_anon=0 nr_activate_file=%6u nr_ref_keep=%7u nr_unmap_fail=0 priority=%8d flags=RECLAIM_WB_FILE|RECLAIM_WB_ASYNC", NULL },
	[TRACE_MM_VMSCAN_LRU_SHRINK_ACTIVE] = { "mm_vmscan_lru_shrink_active", ".....", "nid=0 nr_taken=%0u nr_active=%1u nr_deactivated=%2u nr_referenced=%3u priority=%4d flags=RECLAIM_WB_FILE|RECLAIM_WB_ASYNC", NULL },

	[TRACE_BLOCK_BIO_QUEUE] = { "block_bio_queue", ".....", BIO, NULL },
	[TRACE_BLOCK_GETRQ] = { "block_getrq", ".....", BIO, NULL },
	[TRACE_BLOCK_SPLIT] = { "block_split", ".....", "%C %0R %2u / %3u [%t]", NULL },
	[TRACE_BLOCK_BIO_BACKMERGE] = { "block_bio_backmerge", ".....", BIO, NULL },
	[TRACE_BLOCK_BIO_FRONTMERGE] = { "block_bio_frontmerge", ".....", BIO, NULL },
	[TRACE_BLOCK_PLUG] = { "block_plug", ".....", "[%t]", NULL },
	[TRACE_BLOCK_RQ_INSERT] = { "block_rq_insert", ".....", REQUEST, NULL },
	[TRACE_BLOCK_RQ_ISSUE] = { "block_rq_issue", ".....", REQUEST, NULL },
	[TRACE_BLOCK_RQ_COMPLETE] = { "block_rq_complete", ".....", "%C %0R () %2S + %3B be,0,4 [0]", NULL },
};
/* clang-format on */
