/*
 * traces/optext.h - f2sim's own text form of ops: exact, and easy to write by hand or with awk.
 *
 *	# f2sim ops 1
 *	12345 read task=169 cpu=0 dev=259:0 ino=4 pos=0 len=65536 flags=dontcache,sync done=23456
 *result=65536
 *	-     fsync ino=4
 *
 * Line 1 is the header.  Then one op a line: time in ns ("-" = OP_NO_TIME: as soon as the task is
 * ready), the kind's name (op_kind_name()), and key=value pairs in any order, each at most once:
 *	task    pid, -1 = unknown		cpu     0 .. 65535
 *	dev     MAJOR:MINOR			ino     inode (node_read: nid)
 *	pos     bytes, < 2^63			len     bytes, < 2^63
 *	flags   op_flag_name()s, by comma	aux     by kind, see sim/op.h
 *	done    ns, absent = OP_NO_TIME		result  signed return value
 * An absent key is 0.  Blank lines and lines that begin with "#" are skipped.  Anything else (an
 *unknown key, kind or flag, a sign where none belongs, an overflow) is an error with its line.
 */
#ifndef TRACES_OPTEXT_H
#define TRACES_OPTEXT_H

#include <stdio.h>

#include "sim/op.h"
#include "traces/trace.h"

extern const struct trace_ops trace_optext;

#define OPTEXT_HEADER "# f2sim ops 1"

/* One line of @op; every field that is not 0 is written.  Errors stay in @f (ferror()). */
void optext_write(FILE *f, const struct op *op);

/* Parse @line (cut in place).  False with *@err telling what is wrong, without file and line. */
bool optext_parse(char *line, struct op *op, GError **err);

#endif
