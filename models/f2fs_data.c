/*
 * models/f2fs_data.c - block map, log, read bios, configuration of the F2FS data path.  Level 3.
 *
 * Stands for fs/f2fs/data.c and the allocation side of fs/f2fs/segment.c (v6.1).  A page that is
 * written gets the next block of the log (OPU), or the block where the capture's own write went
 * when the capture shows it; `update = in_place` keeps the block a page has (ext4, XFS).  A page
 * that exists before the run but whose block no event shows gets a contiguous place at first use;
 * blocks_assumed counts those.
 *
 * The write side is models/f2fs_write.c, f2fs_submit.c and f2fs_ipu.c.
 *
 * Not modelled: node and meta blocks, GC, compression, encryption; a checkpoint is a lock and a bio
 * (models/f2fs_checkpoint.c).
 * The log never wraps. I1  a block below the log's head is given out at most once by the log.
 */
#include "models/f2fs_data.h"
#include "models/f2fs_internal.h"

#include "sim/trace_events.h"

/* clang-format off */
static const char *const dontcache_choices[] = { "none", "read_only", "read_write", NULL };
static const char *const update_choices[] = { "out_of_place", "in_place", "f2fs", NULL };

static const struct conf_key keys[] = {
	CONF(CONF_ENUM, f2fs_data, dontcache, "none", NULL, NULL, "directions of RWF_DONTCACHE that are supported; the others answer EOPNOTSUPP (KERNEL 1.1)", dontcache_choices),
	CONF(CONF_ENUM, f2fs_data, update, "out_of_place", NULL, NULL, "where a rewritten page goes: the log, its own block (ext4, XFS), or as F2FS decides by ipu_policy (KERNEL 1.6)", update_choices),
	CONF(CONF_BOOL, f2fs_data, writepages_mutex, "true", NULL, NULL, "one WB_SYNC_NONE pass at a time on the file system, none while a fsync writes [S] KERNEL 1.6; false = ext4, XFS", NULL),
	CONF(CONF_BYTES, f2fs_data, max_bio, "0", "0", "1GiB", "largest write bio, 0 = as contiguous as the log (capture seqwrite: 126 MiB)", NULL),
	CONF(CONF_U64, f2fs_data, vec_pages, "0", "0", "32768", "pages next to each other in memory, which share one of the 256 bio_vecs; 0 = all [S] KERNEL 2.7", NULL),
	CONF(CONF_U64, f2fs_data, device_blocks, "0", "0", NULL, "blocks of each device of a file system on several; a bio lies on one; 0 = one device [S] KERNEL 2.7", NULL),
	CONF(CONF_U64, f2fs_data, ipu_policy, "16", "0", "255", "update = f2fs: sum of 1 FORCE, 4 UTIL, 16 FSYNC, 32 ASYNC, 64 NOCACHE, 128 HONOR_OPU_WRITE [S] KERNEL 1.6", NULL),
	CONF(CONF_U64, f2fs_data, min_fsync_blocks, "8", "0", NULL, "dirty pages up to which any fsync counts as FSYNC of ipu_policy [S] KERNEL 1.6", NULL),
	CONF(CONF_U64, f2fs_data, min_ipu_util, "70", "0", "100", "percent above which UTIL of ipu_policy holds [S] KERNEL 1.6", NULL),
	CONF(CONF_U64, f2fs_data, utilization, "0", "0", "100", "percent of the blocks in use, for UTIL of ipu_policy", NULL),
	CONF(CONF_STR, f2fs_data, cold_inodes, "", NULL, NULL, "inodes of cold files, between ';' (by extension in F2FS)", NULL),
	CONF(CONF_STR, f2fs_data, pinned_inodes, "", NULL, NULL, "inodes of pinned files, between ';'", NULL),
	CONF(CONF_NSEC, f2fs_data, map_ns, "300ns", "0", "1s", "CPU time to map the blocks of a readahead batch [E]", NULL),
	CONF(CONF_NSEC, f2fs_data, submit_page_ns, "860ns", "0", "1s", "CPU time to write out a page: tag walk, allocation, bio [A] MODELING 1.1", NULL),
	CONF(CONF_NSEC, f2fs_data, flusher_page_ns, "0", "0", "1s", "what a page costs the flusher more than a writer: its kworker runs on a smaller core [E] MODELING 1.1", NULL),
	CONF(CONF_NSEC, f2fs_data, submit_bio_ns, "5us", "0", "1s", "CPU time to submit a bio [E]", NULL),
	CONF(CONF_NSEC, f2fs_data, end_io_page_ns, "300ns", "0", "1s", "CPU time to end the writeback of a page [E] KERNEL 11.1", NULL),
	CONF(CONF_NSEC, f2fs_data, end_read_page_ns, "100ns", "0", "1s", "CPU time to end the read of a page: unlock it, wake who waits [E]", NULL),
	{ 0 },
};

static const struct stat_desc stats[] = {
	STAT(STAT_COUNT, f2fs_data, read_bios),
	STAT(STAT_COUNT, f2fs_data, read_bio_pages),
	STAT(STAT_COUNT, f2fs_data, hole_pages),
	STAT(STAT_COUNT, f2fs_data, write_bios),
	STAT(STAT_COUNT, f2fs_data, write_bio_pages),
	STAT(STAT_COUNT, f2fs_data, dropbehind_bios),
	STAT(STAT_COUNT, f2fs_data, mixed_bios),
	STAT(STAT_COUNT, f2fs_data, checkpoints),
	STAT(STAT_COUNT, f2fs_data, ipu_bios),
	STAT(STAT_COUNT, f2fs_data, ipu_pages),
	STAT(STAT_COUNT, f2fs_data, node_meta_bios),
	STAT(STAT_COUNT, f2fs_data, blocks_hinted),
	STAT(STAT_COUNT, f2fs_data, blocks_assumed),
	STAT(STAT_COUNT, f2fs_data, blocks_allocated),
	STAT(STAT_COUNT, f2fs_data, writepages_skipped),
	STAT(STAT_COUNT, f2fs_data, writepages_stopped),
	STAT(STAT_COUNT, f2fs_data, writepages_waits),
	STAT(STAT_NSEC, f2fs_data, writepages_wait_ns),
	{ 0 },
};
/* clang-format on */

struct f2fs_data *f2fs_data_of(const struct sim *sim)
{
	return (struct f2fs_data *)model_get(sim, &f2fs_data_model);
}

static bool f2fs_data_init(struct model *m, GError **err)
{
	struct f2fs_data *fd = (struct f2fs_data *)m;

	if (!config_multiple(m->sim->config, "f2fs_data", "max_bio", fd->conf.max_bio, PAGE_SIZE,
			     "a bio holds whole pages", err))
		return false;
	fd->fm = filemap_of(m->sim);
	fd->log_head = BLOCKS_PER_SEG;
	if (!f2fs_ipu_init(fd, err))
		return false;
	wait_queue_init(&fd->writepages_wait);
	fd->hints = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)extent_map_free);
	return true;
}

static void f2fs_data_fini(struct model *m)
{
	struct f2fs_data *fd = (struct f2fs_data *)m;

	for (struct inode *inode = fd->fm ? fd->fm->inodes : NULL; inode; inode = inode->next)
		extent_map_free(inode->extents);
	if (fd->hints)
		g_hash_table_destroy(fd->hints);
	f2fs_ipu_fini(fd);
}

bool f2fs_supports_dontcache(const struct f2fs_data *fd, bool write)
{
	return fd->conf.dontcache == DONTCACHE_READ_WRITE ||
	       (!write && fd->conf.dontcache == DONTCACHE_READ_ONLY);
}

void f2fs_set_initial_size(struct inode *inode, int64_t size)
{
	inode->initial_size = size;
	inode->i_size = size;
}

static struct extent_map *inode_extents(struct inode *inode)
{
	if (!inode->extents)
		inode->extents = extent_map_new();
	return inode->extents;
}

/* The log starts at the first segment past every block the capture shows, so the two never collide.
 */
void f2fs_hint_map(struct f2fs_data *fd, struct inode *inode, pgoff_t index, uint64_t len,
		   block_t block)
{
	struct extent_map *em = g_hash_table_lookup(fd->hints, inode);

	if (!em) {
		em = extent_map_new();
		g_hash_table_insert(fd->hints, inode, em);
	}
	extent_map_set(em, index, len, block);
	if (block + len > fd->log_head)
		fd->log_head = (block + len + BLOCKS_PER_SEG - 1) / BLOCKS_PER_SEG * BLOCKS_PER_SEG;
}

static block_t log_allocate(struct f2fs_data *fd, uint64_t nr)
{
	block_t block = fd->log_head;

	fd->log_head += nr;
	return block;
}

/* What the capture shows of @index: an extent (block 0 = it shows nothing for len pages). */
static struct extent hint_lookup(struct f2fs_data *fd, struct inode *inode, pgoff_t index)
{
	struct extent_map *em = NULL;

	if (g_hash_table_size(fd->hints))
		em = g_hash_table_lookup(fd->hints, inode);
	if (!em)
		return (struct extent){index, UINT64_MAX - index, 0};
	return extent_map_lookup(em, index);
}

block_t f2fs_hinted_block(struct f2fs_data *fd, struct inode *inode, pgoff_t index)
{
	return hint_lookup(fd, inode, index).block;
}

/* Pages of @inode that the device held before the run. */
static pgoff_t initial_pages(const struct inode *inode)
{
	return (pgoff_t)(inode->initial_size + PAGE_SIZE - 1) >> PAGE_SHIFT;
}

/* Give the unmapped page @index, which exists before the run, its place; returns its extent. */
static struct extent map_initial(struct f2fs_data *fd, struct inode *inode, struct extent hole)
{
	struct extent hint = hint_lookup(fd, inode, hole.index);
	uint64_t len = MIN(hole.len, initial_pages(inode) - hole.index);

	len = MIN(len, hint.len);
	if (hint.block)
		fd->stat.blocks_hinted += len;
	else
		fd->stat.blocks_assumed += len;
	extent_map_set(inode_extents(inode), hole.index, len,
		       hint.block ? hint.block : log_allocate(fd, len));
	return extent_map_lookup(inode->extents, hole.index);
}

/* f2fs_map_blocks() for reading: where @index lives, block 0 = a hole of len pages. */
struct extent f2fs_map_for_read(struct f2fs_data *fd, struct inode *inode, pgoff_t index)
{
	struct extent e = extent_map_lookup(inode_extents(inode), index);

	if (e.block || index >= initial_pages(inode))
		return e;
	return map_initial(fd, inode, e);
}

block_t f2fs_allocate_block(struct f2fs_data *fd, struct inode *inode, pgoff_t index, uint64_t nr)
{
	struct extent e = extent_map_lookup(inode_extents(inode), index);
	struct extent hint = hint_lookup(fd, inode, index);

	if (fd->conf.update == UPDATE_IN_PLACE && e.block && e.len >= nr)
		return e.block;
	if (hint.block && hint.len >= nr) {
		fd->stat.blocks_hinted += nr;
		e.block = hint.block;
	} else {
		fd->stat.blocks_allocated += nr;
		e.block = log_allocate(fd, nr);
	}
	extent_map_set(inode->extents, index, nr, e.block);
	return e.block;
}

struct extent f2fs_map_for_write(struct f2fs_data *fd, struct inode *inode, pgoff_t index,
				 uint64_t nr)
{
	struct extent e = {0};

	if (fd->conf.update == UPDATE_F2FS) /* overwrites in place */
		e = f2fs_map_for_read(fd, inode, index);
	if (e.block)
		return (struct extent){index, MIN(e.len, nr), e.block};
	block_t block = f2fs_allocate_block(fd, inode, index, 1);
	uint64_t len = 1;

	while (len < nr) {
		block_t next = f2fs_allocate_block(fd, inode, index + len, 1);

		if (next != block + len)
			break;
		len++;
	}
	return (struct extent){index, len, block};
}

bool f2fs_maps(struct f2fs_data *fd, struct inode *inode, pgoff_t index)
{
	return f2fs_map_for_read(fd, inode, index).block;
}

void f2fs_truncate_blocks(struct f2fs_data *fd, struct inode *inode, int64_t from)
{
	(void)fd;
	if (inode->extents)
		extent_map_truncate(inode->extents, (pgoff_t)(from + PAGE_SIZE - 1) >> PAGE_SHIFT);
	inode->initial_size = MIN(inode->initial_size, from);
}

void f2fs_bio_add(struct bio *bio, struct folio *folio)
{
	folio->bio_next = NULL;
	if (bio->last_folio)
		bio->last_folio->bio_next = folio;
	else
		bio->folios = folio;
	bio->last_folio = folio;
	bio->nr_folios++;
	bio->size_bytes += (int64_t)folio_nr_pages(folio) << PAGE_SHIFT;
}

int64_t f2fs_send_bio(struct f2fs_data *fd, struct bio *bio, struct blk_plug *plug)
{
	int64_t page_ns =
		bio->op == REQ_OP_READ ? fd->conf.end_read_page_ns : fd->conf.end_io_page_ns;

	bio->end_cost_ns = (bio->size_bytes >> PAGE_SHIFT) * page_ns;
	submit_bio(fd->model.sim, bio, plug);
	return fd->conf.submit_bio_ns;
}

static void f2fs_read_end_io(struct bio *bio, bool in_task)
{
	struct f2fs_data *fd = bio->private;
	struct folio *folio = bio->folios;

	(void)in_task;
	while (folio) {
		struct folio *next = folio->bio_next;

		folio_end_read(fd->fm, folio);
		folio = next;
	}
	bio_put(fd->model.sim, bio);
}

struct bio *f2fs_bio_new(struct f2fs_data *fd, enum req_op op, block_t block, unsigned int opf,
			 void (*end_io)(struct bio *, bool))
{
	struct bio *bio = bio_alloc(fd->model.sim);

	bio->op = op;
	bio->opf = opf;
	bio->sector = block * SECTORS_PER_PAGE;
	bio->end_io = end_io;
	bio->private = fd;
	return bio;
}

/* What a read over [@index, @end) learns of extent @e. */
static void trace_map(const struct f2fs_data *fd, const struct inode *inode, pgoff_t index,
		      pgoff_t end, struct extent e)
{
	if (e.block)
		trace_f2fs_map_blocks(fd->model.sim, inode->i_dev, inode->i_ino, index,
				      e.block + (index - e.index),
				      MIN(e.index + e.len, end) - index);
}

/* Is @block the next of the read @bio, on the same device? */
static bool reads_on(const struct f2fs_data *fd, const struct bio *bio, block_t block)
{
	return bio->sector + (sector_t)(bio->size_bytes >> SECTOR_SHIFT) ==
		       block * SECTORS_PER_PAGE &&
	       (!fd->conf.device_blocks || block % fd->conf.device_blocks);
}

int64_t f2fs_read_folios(struct f2fs_data *fd, struct inode *inode, pgoff_t index, uint64_t nr,
			 unsigned int opf, struct blk_plug *plug)
{
	pgoff_t end = index + nr;
	struct extent e = {0};
	struct bio *bio = NULL;
	int64_t cost_ns = fd->conf.map_ns;

	while (index < end) {
		struct folio *folio = filemap_get_folio(&inode->i_data, index);
		uint64_t pages = folio_nr_pages(folio);

		if (index >= e.index + e.len) {
			e = f2fs_map_for_read(fd, inode, index);
			trace_map(fd, inode, index, end, e);
		}
		block_t block = e.block ? e.block + (index - e.index) : 0;

		if (bio && !reads_on(fd, bio, block)) {
			cost_ns += f2fs_send_bio(fd, bio, plug);
			bio = NULL;
		}
		index += pages;
		if (!block) {
			fd->stat.hole_pages += pages;
			folio_end_read(fd->fm, folio);
			continue;
		}
		if (!bio) {
			bio = f2fs_bio_new(fd, REQ_OP_READ, block, opf, f2fs_read_end_io);
			fd->stat.read_bios++;
		}
		f2fs_bio_add(bio, folio);
		fd->stat.read_bio_pages += pages;
	}
	if (bio)
		cost_ns += f2fs_send_bio(fd, bio, plug);
	return cost_ns;
}

const struct model_ops f2fs_data_model = {
	.name = "f2fs_data",
	.source = "fs/f2fs/data.c, segment.c v6.1",
	.size = sizeof(struct f2fs_data),
	.keys = keys,
	.stats = stats,
	.init = f2fs_data_init,
	.check = f2fs_data_check,
	.check_idle = f2fs_data_check_idle,
	.fini = f2fs_data_fini,
};
