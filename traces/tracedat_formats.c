/*
 * traces/tracedat_formats.c - see traces/tracedat_formats.h.
 *
 * Three functions of libtraceevent are replaced for libtracecmd, by defining them in the program:
 * the dynamic linker looks here first.  Everything else of both libraries stays what it is.
 *
 * The first format of a handle is parsed at once, because libtraceevent asks any event for the
 * fields that all have (common_type, common_pid).  So is one whose text does not begin as the
 * kernel prints it.  Of two formats with one id the first stands.
 */
#include "traces/tracedat_formats.h"

#include <glib.h>
#include <string.h>

struct format {
	struct tep_handle *tep;
	char *text, *system;
	unsigned long bytes;
};

static GHashTable *formats; /* id -> struct format, not yet parsed */

/*
 * The symbol table of a kernel is megabytes of text; its only use is to print addresses as names
 * (%pS), in events that nobody reads here.
 */
int tep_parse_kallsyms(struct tep_handle *tep, const char *buf)
{
	(void)tep;
	(void)buf;
	return 0;
}

/* The number behind "name: NAME\nID: ", or -1. */
static int id_of(const char *text, unsigned long bytes)
{
	const char *line = bytes ? memchr(text, '\n', MIN(bytes, 256)) : NULL;
	unsigned long left = line ? bytes - (unsigned long)(line - text) : 0;
	int id = 0;

	if (left < 12 || strncmp(text, "name: ", 6) != 0 || strncmp(line, "\nID: ", 5) != 0)
		return -1;
	for (line += 5; g_ascii_isdigit(*line) && id <= G_MAXUINT16; line++)
		id = id * 10 + (*line - '0');
	return *line == '\n' && id <= G_MAXUINT16 ? id : -1;
}

static enum tep_errno parse(struct tep_handle *tep, const char *text, unsigned long bytes,
			    const char *system)
{
	struct tep_event *event = NULL;

	return tep_parse_format(tep, &event, text, bytes, system);
}

enum tep_errno tep_parse_event(struct tep_handle *tep, const char *buf, unsigned long size,
			       const char *sys)
{
	int id = id_of(buf, size);
	gpointer key = GINT_TO_POINTER(id);
	struct format *f;

	if (!formats)
		formats = g_hash_table_new(NULL, NULL);
	if (id < 0 || tep_get_events_count(tep) == 0)
		return parse(tep, buf, size, sys);
	if (g_hash_table_contains(formats, key))
		return TEP_ERRNO__SUCCESS;
	f = g_new(struct format, 1);
	f->tep = tep;
	f->text = g_memdup2(buf, size);
	f->bytes = size;
	f->system = g_strdup(sys);
	g_hash_table_insert(formats, key, f);
	return TEP_ERRNO__SUCCESS;
}

struct tep_event *tracedat_format(struct tep_handle *tep, int id)
{
	gpointer key = GINT_TO_POINTER(id);
	struct format *f = formats ? g_hash_table_lookup(formats, key) : NULL;

	if (f && f->tep == tep && !tep_find_event(tep, id)) {
		parse(tep, f->text, f->bytes, f->system);
		g_hash_table_remove(formats, key);
	}
	return tep_find_event(tep, id);
}

/* libtracecmd wants the event of a record behind missed ones before it gives the record. */
struct tep_event *tep_find_event_by_record(struct tep_handle *tep, struct tep_record *record)
{
	int id = tep_data_type(tep, record);

	return id < 0 ? NULL : tracedat_format(tep, id);
}
