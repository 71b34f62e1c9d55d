/*
 * traces/blkline.c - see traces/blkline.h: the default format (blkparse_fmt.c).
 *
 * The head is the same for all actions: device, CPU, sequence, time, pid, action, RWBS.  Columns
 * widen when a value is too long, so they are told apart by spaces; only the device is one field
 * with a comma that pads behind its minor number.  What follows depends on the action, and on
 * whether the request is a command (its bytes in parentheses) or moves no data.
 */
#include "traces/blkline.h"

#include <string.h>

#include "traces/scan.h"

static bool parse_device(const char **p, uint32_t *dev)
{
	uint64_t major, minor;

	if (!scan_number(p, 0xfff, &major) || !scan_char(p, ',') ||
	    !scan_digits(p, 0xfffff, &minor))
		return false;
	*dev = DEVNO(major, minor);
	return true;
}

static bool parse_time(const char **p, int64_t *time_ns)
{
	uint64_t sec, nsec;

	if (!scan_number(p, INT64_MAX / NSEC_PER_SEC - 1, &sec) || **p != '.')
		return false;
	++*p;
	if (!scan_digits(p, (uint64_t)NSEC_PER_SEC - 1, &nsec))
		return false;
	*time_ns = (int64_t)(sec * (uint64_t)NSEC_PER_SEC + nsec);
	return true;
}

static bool parse_head(const char **p, struct blk_line *l)
{
	struct blk_event *e = &l->event;
	char action[4];
	uint64_t cpu, sequence, pid;

	if (!parse_device(p, &e->dev) || !scan_number(p, UINT16_MAX, &cpu) ||
	    !scan_number(p, UINT64_MAX, &sequence) || !parse_time(p, &e->time_ns) ||
	    !scan_number(p, INT32_MAX, &pid) || !scan_word(p, action, sizeof(action)) ||
	    !scan_word(p, l->rwbs, sizeof(l->rwbs)))
		return false;
	e->cpu = (uint16_t)cpu;
	e->task = (int32_t)pid;
	e->action = blk_action_from_text(action);
	return e->action;
}

static bool set_sectors(struct blk_event *e, uint64_t sectors)
{
	if (sectors > UINT32_MAX >> SECTOR_SHIFT)
		return false;
	e->bytes = (uint32_t)(sectors << SECTOR_SHIFT);
	return true;
}

/* "(..)" where there is one: the elapsed time of -t, or the bytes of a command. */
static bool skip_parentheses(const char **p)
{
	if (!scan_char(p, '('))
		return false;
	const char *end = strchr(*p, ')');

	*p = end ? end + 1 : *p;
	return end;
}

/* "sector + n", "sector", "bytes (command)", "(command)" or nothing. */
static bool parse_extent(const char **p, struct blk_event *e)
{
	uint64_t first, sectors = 0;

	e->sector = UINT64_MAX;
	e->passthrough = skip_parentheses(p);
	if (e->passthrough || !scan_number(p, UINT64_MAX, &first))
		return true;
	if (scan_char(p, '+')) {
		e->sector = first;
		if (!scan_number(p, UINT64_MAX, &sectors) || !set_sectors(e, sectors))
			return false;
		skip_parentheses(p);
		return true;
	}
	e->passthrough = e->action != 'C' && e->action != 'R' && skip_parentheses(p);
	if (!e->passthrough) {
		e->sector = first;
		skip_parentheses(p);
		return true;
	}
	e->bytes = (uint32_t)MIN(first, UINT32_MAX);
	return true;
}

static bool parse_error(const char *p, int32_t *error)
{
	uint64_t value;
	bool negative;

	if (!scan_char(&p, '['))
		return false;
	negative = scan_char(&p, '-');
	if (!scan_number(&p, UINT16_MAX, &value) || !scan_char(&p, ']'))
		return false;
	*error = negative ? -(int32_t)value : (int32_t)value;
	return true;
}

/* "[name]"; the name may hold anything, brackets too. */
static bool parse_comm(const char *p, struct blk_line *l)
{
	if (!scan_char(&p, '['))
		return false;
	const char *end = strrchr(p, ']');

	if (!end)
		return false;
	l->comm = p;
	l->comm_len = (size_t)(end - p);
	return true;
}

/* "sector / new [name]" */
static bool parse_split(const char *p, struct blk_line *l)
{
	uint64_t to;

	return scan_number(&p, UINT64_MAX, &l->event.sector) && scan_char(&p, '/') &&
	       scan_number(&p, UINT64_MAX, &to) && parse_comm(p, l);
}

/* "sector + n <- (maj,min) sector" */
static bool parse_remap(const char *p, struct blk_event *e)
{
	uint64_t from;
	uint32_t dev;

	return parse_extent(&p, e) && scan_char(&p, '<') && scan_char(&p, '-') &&
	       scan_char(&p, '(') && parse_device(&p, &dev) && scan_char(&p, ')') &&
	       scan_number(&p, UINT64_MAX, &from);
}

static bool parse_tail(const char *p, struct blk_line *l)
{
	switch (l->event.action) {
	case 'C':
	case 'R':
		return parse_extent(&p, &l->event) && parse_error(p, &l->event.error);
	case 'A':
		return parse_remap(p, &l->event);
	case 'X':
		return parse_split(p, l);
	case 'm':
		return true;
	case 'P':
	case 'U':
	case 'T':
		return parse_comm(p, l);
	default:
		return parse_extent(&p, &l->event) && parse_comm(p, l);
	}
}

bool blk_line_parse(const char *line, struct blk_line *l)
{
	const char *p = line;

	*l = (struct blk_line){.comm = NULL};
	if (!parse_head(&p, l) || !parse_tail(p, l))
		return false;
	blk_rwbs_parse(l->rwbs, &l->event.rwbs);
	return true;
}

bool blk_line_begins(const char *line)
{
	uint32_t dev;

	return parse_device(&line, &dev);
}
