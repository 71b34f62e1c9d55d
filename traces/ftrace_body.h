/*
 * traces/ftrace_body.h - finding and reading numbers in the body of an event, for
 * traces/ftrace_event.c and traces/ftrace_shape.c only.
 */
#ifndef TRACES_FTRACE_BODY_H
#define TRACES_FTRACE_BODY_H

#include "traces/ftrace_event.h"

/* Just behind word @key in [@from, @end), or failing that in [@body, @end); NULL: not there. */
const char *ftrace_body_find(const char *body, const char *from, const char *end, const char *key);

/* Just behind the last word @key in [@body, @limit); NULL: not there. */
const char *ftrace_body_rfind(const char *body, const char *limit, const char *end,
			      const char *key);

/* Over the blanks, '=' and ':' between a key and its value. */
const char *ftrace_body_skip(const char *p);

/* Number at @p into *@v; hex when @hex or "0x", may be negative (two's complement).  Just behind
 * it; NULL: no number, or above 64 bits. */
const char *ftrace_body_number(const char *p, bool hex, uint64_t *v);

/* "(8,0)", "8:0", "8,0" or a kernel dev_t at @p into *@v as DEVNO().  Just behind it (in front of a
 * ")"), or NULL. */
const char *ftrace_body_device(const char *p, uint64_t *v);

/* Is @c part of a word, as keys and numbers are? */
static inline bool ftrace_body_is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Arguments of a system call, all hexadecimal: "fd: 3, buf: 7ff0, count: 10000)". */
bool ftrace_body_args(struct ftrace_event *e, const char *body);

/* "8,0 WS 4096 () 2048 + 8 be,0,4 [fio]" of block_rq_issue, "8,0 WS () 2048 + 8 [0]" of
 * block_rq_complete. */
bool ftrace_body_request(struct ftrace_event *e, const char *body);

#endif
