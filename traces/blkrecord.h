/*
 * traces/blkrecord.h - one binary blktrace file as decoded records
 * (include/uapi/linux/blktrace_api.h, versions 7 and 8).
 */
#ifndef TRACES_BLKRECORD_H
#define TRACES_BLKRECORD_H

#include "traces/stream.h"

struct blk_record {
	int64_t time_ns; /* 0 in some notify records */
	uint64_t sector;
	uint32_t sequence; /* 0 in notify records */
	uint32_t bytes;
	uint32_t code; /* action without its cgroup bit */
	uint32_t tc;   /* categories, BLK_TC_* */
	uint32_t pid, dev, cpu;
	uint16_t error;
	uint16_t version;   /* 7, 8 */
	const uint8_t *pdu; /* behind the cgroup id; valid until the next record */
	size_t pdu_len;
};

struct blk_file {
	struct stream *stream;
	uint64_t nr_records;   /* read so far */
	size_t cut_bytes;      /* of an incomplete last record */
	const uint8_t *window; /* bytes of the stream at hand: have, of them used are consumed */
	size_t have, used;
	bool has;		  /* record is valid */
	struct blk_record record; /* the next one */
};

/* Does @head begin with a record of any version, in either byte order? */
bool blk_file_probe(const uint8_t *head, size_t n);

/* Open @path and read its first record; false with *@err.  An empty file is not an error. */
bool blk_file_open(struct blk_file *f, const char *path, GError **err);
void blk_file_close(struct blk_file *f);

/* Read the next record into @f->record; @f->has is false at the end.  False with *@err on a broken
 * record. */
bool blk_file_advance(struct blk_file *f, GError **err);

#endif
