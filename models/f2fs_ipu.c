/*
 * models/f2fs_ipu.c - writing in place: when, and the bios of it.  Level 3.
 *
 * Stands for need_inplace_update(), f2fs_inplace_write_data(), f2fs_merge_page_bio() and
 * f2fs_submit_merged_ipu_write() of fs/f2fs/data.c and segment.c (v6.1), under `update = f2fs`.
 *
 * A page that has a block keeps it (KERNEL 1.6) when its file is pinned or cold, or by the bits of
 * ipu_policy: FORCE; UTIL above 70 % of the blocks in use; ASYNC for writes that are not REQ_SYNC;
 * FSYNC for what a fdatasync, or a fsync of at most min_fsync_blocks dirty pages, writes.  A file
 * with FI_OPU_WRITE never does.  Where the capture shows the block of the write, that decides.
 *
 * A pass has one open IPU bio; all of them are in a list a temperature (KERNEL 2.7).  A page joins
 * when it continues the bio (next block, same device, size, a bio_vec left); otherwise the bio is
 * sent and another opened.  It is also sent at the end of the pass, or when somebody waits for a
 * page in it.  NOCACHE opens none: a bio a page.
 *
 * Not modelled: SSR (it needs the garbage collector), LFS mode, GCing pages, how utilization
 * changes.
 * I1  an IPU bio in the list is wp->ipu_bio of exactly one running pass, its opener.
 */
#include "models/f2fs_internal.h"

#define IPU_SUPPORTED                                                                              \
	(F2FS_IPU_FORCE | F2FS_IPU_UTIL | F2FS_IPU_FSYNC | F2FS_IPU_ASYNC | F2FS_IPU_NOCACHE |     \
	 F2FS_IPU_HONOR_OPU_WRITE)

static GArray *parse_inodes(const struct f2fs_data *fd, const char *key, const char *text,
			    GError **err)
{
	g_autoptr(GArray) inos = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_auto(GStrv) words = g_strsplit(text, ";", -1);

	for (unsigned int i = 0; words[i]; i++) {
		uint64_t ino;

		if (!*g_strstrip(words[i]))
			continue;
		if (!conf_parse_u64(words[i], &ino, NULL)) {
			config_error(fd->model.sim->config, "f2fs_data", key, err,
				     "expected inode numbers between ';', got \"%s\"", words[i]);
			return NULL;
		}
		g_array_append_val(inos, ino);
	}
	return g_steal_pointer(&inos);
}

bool f2fs_ipu_init(struct f2fs_data *fd, GError **err)
{
	struct config *config = fd->model.sim->config;

	if (fd->conf.ipu_policy & ~(uint64_t)IPU_SUPPORTED) {
		config_error(config, "f2fs_data", "ipu_policy", err,
			     "expected a sum of 1 (FORCE), 4 (UTIL), 16 (FSYNC), 32 (ASYNC), "
			     "64 (NOCACHE) and 128 (HONOR_OPU_WRITE)");
		return false;
	}
	if (fd->fm->conf.max_folio_order &&
	    (fd->conf.device_blocks || fd->conf.update == UPDATE_F2FS)) {
		config_error(config, "f2fs_data",
			     fd->conf.device_blocks ? "device_blocks" : "update", err,
			     "expected [filemap] max_folio_order = 0 with it, as F2FS has");
		return false;
	}
	fd->cold_inodes = parse_inodes(fd, "cold_inodes", fd->conf.cold_inodes, err);
	if (fd->cold_inodes)
		fd->pinned_inodes = parse_inodes(fd, "pinned_inodes", fd->conf.pinned_inodes, err);
	return fd->pinned_inodes;
}

void f2fs_ipu_fini(struct f2fs_data *fd)
{
	g_clear_pointer(&fd->cold_inodes, g_array_unref);
	g_clear_pointer(&fd->pinned_inodes, g_array_unref);
}

static bool listed(const GArray *inos, uint64_t ino)
{
	for (unsigned int i = 0; i < inos->len; i++)
		if (g_array_index(inos, uint64_t, i) == ino)
			return true;
	return false;
}

/* FI_* of @inode; what the configuration says of it is looked up once. */
static uint32_t inode_flags(const struct f2fs_data *fd, struct inode *inode)
{
	if (!(inode->fi_flags & FI_LOOKED_UP)) {
		inode->fi_flags |= FI_LOOKED_UP;
		if (listed(fd->cold_inodes, inode->i_ino))
			inode->fi_flags |= FI_COLD_FILE;
		if (listed(fd->pinned_inodes, inode->i_ino))
			inode->fi_flags |= FI_PIN_FILE;
	}
	return inode->fi_flags;
}

enum temp_type f2fs_data_temp(const struct f2fs_data *fd, const struct writepages *wp)
{
	uint32_t flags = inode_flags(fd, wp->inode);

	if (flags & (FI_COLD_FILE | FI_PIN_FILE))
		return TEMP_COLD;
	return wp->hot || flags & FI_NEED_IPU ? TEMP_HOT : TEMP_WARM;
}

void f2fs_fsync_begins(struct f2fs_data *fd, struct inode *inode, bool datasync)
{
	if (datasync || inode->i_data.i_pages.nr_marked[XA_MARK_0] <= fd->conf.min_fsync_blocks)
		inode->fi_flags |= FI_NEED_IPU;
}

void f2fs_fsync_wrote(struct inode *inode)
{
	inode->fi_flags &= ~FI_NEED_IPU;
}

/* check_inplace_update_policy() and what comes before it. */
static bool policy_says_in_place(const struct f2fs_data *fd, const struct f2fs_io_info *fio)
{
	uint64_t policy = fd->conf.ipu_policy;
	uint32_t flags = inode_flags(fd, fio->inode);

	if (flags & FI_OPU_WRITE)
		return false;
	if (flags & (FI_PIN_FILE | FI_COLD_FILE) || policy & F2FS_IPU_FORCE)
		return true;
	if (policy & F2FS_IPU_UTIL && fd->conf.utilization > fd->conf.min_ipu_util)
		return true;
	if (policy & F2FS_IPU_ASYNC && !(fio->op_flags & REQ_SYNC))
		return true;
	return policy & F2FS_IPU_FSYNC && flags & FI_NEED_IPU;
}

bool f2fs_need_inplace_update(struct f2fs_data *fd, struct f2fs_io_info *fio)
{
	pgoff_t index = fio->folio->index;

	if (fd->conf.update != UPDATE_F2FS)
		return false;
	fio->old_blkaddr = f2fs_map_for_read(fd, fio->inode, index).block;
	if (!fio->old_blkaddr)
		return false;
	block_t shown = f2fs_hinted_block(fd, fio->inode, index);

	return shown ? shown == fio->old_blkaddr : policy_says_in_place(fd, fio);
}

int64_t f2fs_submit_ipu(struct f2fs_data *fd, struct bio *bio, struct blk_plug *plug)
{
	if (!bio)
		return 0;
	struct writepages *wp = bio->opener;
	struct bio **at = &fd->ipu[wp->ipu_temp];

	while (*at != bio) {
		assert(*at);
		at = &(*at)->next;
	}
	*at = bio->next;
	bio->next = NULL;
	assert(wp->ipu_bio == bio); /* I1 */
	wp->ipu_bio = NULL;
	return f2fs_send_bio(fd, bio, plug);
}

int64_t f2fs_submit_all_ipu(struct f2fs_data *fd, struct blk_plug *plug)
{
	int64_t cost_ns = 0;

	for (unsigned int temp = 0; temp < NR_TEMPS; temp++)
		while (fd->ipu[temp])
			cost_ns += f2fs_submit_ipu(fd, fd->ipu[temp], plug);
	return cost_ns;
}

int64_t f2fs_submit_ipu_of(struct f2fs_data *fd, const struct folio *folio, struct blk_plug *plug)
{
	for (unsigned int temp = 0; temp < NR_TEMPS; temp++)
		for (struct bio *bio = fd->ipu[temp]; bio; bio = bio->next)
			if (f2fs_bio_holds(bio, folio))
				return f2fs_submit_ipu(fd, bio, plug);
	return 0;
}

/* A bio in the list of its temperature, newest last. */
static void open_ipu_bio(struct writepages *wp, const struct f2fs_io_info *fio)
{
	struct f2fs_data *fd = wp->fd;
	struct bio **at = &fd->ipu[fio->temp];

	while (*at)
		at = &(*at)->next;
	wp->ipu_bio = f2fs_write_bio_new(fd, fio);
	wp->ipu_bio->opener = wp;
	wp->ipu_temp = fio->temp;
	fd->stat.ipu_bios++;
	*at = wp->ipu_bio;
}

int64_t f2fs_inplace_write_data(struct writepages *wp, const struct f2fs_io_info *fio)
{
	struct f2fs_data *fd = wp->fd;
	int64_t cost_ns = 0;
	bool added;

	fd->stat.ipu_pages++;
	if (fd->conf.ipu_policy & F2FS_IPU_NOCACHE) { /* f2fs_submit_page_bio() */
		struct bio *bio = f2fs_write_bio_new(fd, fio);

		fd->stat.ipu_bios++;
		added = f2fs_bio_add_page(fd, bio, fio->folio);
		assert(added);
		return f2fs_send_bio(fd, bio, &wp->plug);
	}
	if (wp->ipu_bio && !f2fs_bio_continues(fd, wp->ipu_bio, fio->new_blkaddr))
		cost_ns += f2fs_submit_ipu(fd, wp->ipu_bio, &wp->plug);
	if (!wp->ipu_bio)
		open_ipu_bio(wp, fio);
	if (f2fs_bio_add_page(fd, wp->ipu_bio, fio->folio))
		return cost_ns;
	cost_ns += f2fs_submit_ipu(fd, wp->ipu_bio, &wp->plug);
	open_ipu_bio(wp, fio);
	added = f2fs_bio_add_page(fd, wp->ipu_bio, fio->folio);
	assert(added);
	return cost_ns;
}
