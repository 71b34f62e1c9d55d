/*
 * traces/ftrace_names.h - the tracepoints f2sim knows, and interning of event names.
 *
 * A capture names the same few events on every line.  A name is looked up once in an open hash and
 * gives a struct ftrace_name: what the readers do with the event and where it is counted.  Names
 * never heard of are interned too, with id FT_OTHER and known false.
 */
#ifndef TRACES_FTRACE_NAMES_H
#define TRACES_FTRACE_NAMES_H

#include "traces/trace.h"

/* What a reader does with an event; FT_OTHER is only counted. */
enum ftrace_id {
	FT_OTHER,
	FT_SYS_ENTER, /* sys says which */
	FT_SYS_EXIT,
	FT_DATAREAD_START, /* f2fs_dataread_start and so on */
	FT_DATAREAD_END,
	FT_DATAWRITE_START,
	FT_DATAWRITE_END,
	FT_FILE_WRITE_ITER,
	FT_DIRECT_IO_ENTER,
	FT_WRITE_BEGIN,
	FT_SYNC_FILE_ENTER,
	FT_SYNC_FILE_EXIT,
	FT_LOOKUP_START,
	FT_LOOKUP_END,
	FT_NEW_INODE,
	FT_IGET,
	FT_UNLINK_ENTER,
	FT_UNLINK_EXIT,
	FT_TRUNCATE,
	FT_READPAGES,
	FT_SUBMIT_WRITE, /* f2fs_submit_page_write, f2fs_submit_folio_write */
	FT_MAP_BLOCKS,
	FT_EXTENT_END, /* f2fs_lookup_read_extent_tree_end */
	FT_CACHE_ADD,  /* mm_filemap_add_to_page_cache */
	FT_CACHE_DELETE,
	FT_GET_PAGES,
	FT_DIRTY_FOLIO,
	FT_MARK_INODE_DIRTY,
	FT_RQ_ISSUE, /* block_rq_issue */
	FT_RQ_REQUEUE,
	FT_RQ_COMPLETE,
	FT_UFSHCD_COMMAND,
	FT_BIO_QUEUE,	    /* block_bio_queue */
	FT_SHRINK_INACTIVE, /* mm_vmscan_lru_shrink_inactive */
	FT_BALANCE_DIRTY,   /* balance_dirty_pages */
	FT_DIRTY_STATE,	    /* global_dirty_state */
	FT_NR_IDS
};

/* System calls that become file ops or move a file descriptor; others are only counted. */
enum ftrace_sys {
	FT_SYS_NONE,
	FT_SYS_READ,
	FT_SYS_PREAD64,
	FT_SYS_READV,
	FT_SYS_PREADV,
	FT_SYS_PREADV2,
	FT_SYS_WRITE,
	FT_SYS_PWRITE64,
	FT_SYS_WRITEV,
	FT_SYS_PWRITEV,
	FT_SYS_PWRITEV2,
	FT_SYS_FSYNC,
	FT_SYS_FDATASYNC,
	FT_SYS_OPEN,
	FT_SYS_OPENAT,
	FT_SYS_OPENAT2,
	FT_SYS_CREAT,
	FT_SYS_CLOSE,
	FT_SYS_FTRUNCATE,
	FT_SYS_TRUNCATE,
	FT_SYS_UNLINK,
	FT_SYS_UNLINKAT,
	FT_SYS_FADVISE64,
	FT_SYS_LSEEK,
	FT_SYS_DUP,
	FT_SYS_DUP2,
	FT_SYS_DUP3,
	FT_SYS_FCNTL,
	FT_SYS_EXIT_GROUP,
	FT_SYS_NR
};

struct ftrace_name {
	char *name; /* canonical: "sys_enter_read", never "sys_read" */
	enum ftrace_id id;
	enum ftrace_sys sys;
	bool known;
	uint64_t *count;   /* its entry of info.events, NULL while it has none */
	uint64_t *unknown; /* the same of info.unknown */
};

/* Spelling of a name as ftrace_line has it. */
enum ftrace_spelling { FTRACE_NAME_EVENT, FTRACE_NAME_ENTER, FTRACE_NAME_EXIT };

struct ftrace_names;

/* Returns new, empty but for what is known; counts go into @info, which is borrowed. */
struct ftrace_names *ftrace_names_new(struct trace_info *info);
void ftrace_names_free(struct ftrace_names *names);

/* Intern @name (@len bytes; need not be terminated).  The result lives as long as @names.  Does not
 * count. */
struct ftrace_name *ftrace_names_get(struct ftrace_names *names, const char *name, size_t len,
				     enum ftrace_spelling spelling);

/* Count one event of @name in info.events, and in info.unknown when it is not known. */
void ftrace_names_count(struct ftrace_names *names, struct ftrace_name *name);

#endif
