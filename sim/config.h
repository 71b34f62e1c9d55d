/*
 * sim/config.h - scenario files: INI (GKeyFile syntax) with includes and overlays, and tables that
 * say what may stand in them.
 *
 * Lines `include = PATH` before the first section are read first (PATH relative to the including
 * file, several separated by ';'; cycles refused).  Later files and --set override earlier values,
 * key by key.  A value may end in its grade and source: `link_rate = 3360MB/s [S] nvmevirt
 * ssd_config.h` (grades of DEVICES.md: M measured, S published simulator, D datasheet, A arithmetic
 * on a published series, E estimate, C calibrated). Every key remembers file and line; an unknown
 * section or key, a bad unit and a value out of bounds are refused with both.
 */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include <glib.h>

#include "sim/types.h"

/*
 * Text may begin with a byte order mark.  How many bytes to pass over at its start @head: 3 or 0;
 * -1 with *@err for UTF-16, which is not read (@name is for the message).
 */
int text_mark_bytes(const char *head, size_t n, const char *name, GError **err);

enum conf_type {
	CONF_END,
	CONF_U64,   /* uint64_t */
	CONF_BOOL,  /* bool: 0/1/true/false/yes/no/on/off */
	CONF_NSEC,  /* int64_t ns: a number with ns, us, ms or s ("35.76us"); exact to the ns */
	CONF_BYTES, /* int64_t bytes: plain or with K/KiB M/MiB G/GiB T/TiB (1024) or kB MB GB TB
		       (1000) */
	CONF_RATE,  /* int64_t bytes per second: as CONF_BYTES with /s */
	CONF_REAL,  /* double, for tables built at init only */
	CONF_STR,   /* char *, owned by the config */
	CONF_ENUM,  /* int: index into choices */
};

struct conf_key {
	const char *name; /* sysctl's name when it has one */
	enum conf_type type;
	size_t off;		     /* of the field in the owner */
	const char *def, *min, *max; /* as a user would write them; min may be NULL, max too
					(conf_max()); def NULL = must be given */
	const char *help;	     /* one line, ends with the source of def */
	const char *const *choices;  /* CONF_ENUM: NULL-terminated */
};

/* A row: CONF(CONF_U64, vmscan, swappiness, "60", "0", "200", "help"[, choices]). */
#define CONF(kind, s, f, ...)                                                                      \
	{                                                                                          \
		.name = #f, .type = kind, .off = offsetof(struct s, conf.f), .def = __VA_ARGS__    \
	}

struct config;

/*
 * Read @path (NULL = nothing) and lay @overlays (NULL-terminated paths, may be NULL) and @sets
 * ("section.key=value", NULL-terminated, may be NULL) over it.  Returns new; NULL with *@err.
 */
struct config *config_load(const char *path, const char *const *overlays, const char *const *sets,
			   GError **err);
void config_free(struct config *c);

/* Text of a key, borrowed, grade and source stripped; NULL when absent. */
const char *config_get(const struct config *c, const char *section, const char *key);

/* Grade letter of a key's value, or 0. */
char config_grade(const struct config *c, const char *section, const char *key);

/* Set a key as if by --set (for defaults a command brings). */
void config_set(struct config *c, const char *section, const char *key, const char *value);

/* Sections in file order; array as config_keys(). */
const char **config_sections(const struct config *c);

/* Keys of @section in file order, borrowed, NULL-terminated array to be g_free()d. */
const char **config_keys(const struct config *c, const char *section);

/* "FILE:LINE" (or "--set") where a key was given, borrowed. */
const char *config_where(const struct config *c, const char *section, const char *key);

/* "where: section.key: what" as F2SIM_ERROR_INPUT. */
void config_error(const struct config *c, const char *section, const char *key, GError **err,
		  const char *format, ...) G_GNUC_PRINTF(5, 6);

/* False with *@err unless @value of a key just applied is a multiple of @unit; @why ends the line.
 */
bool config_multiple(const struct config *c, const char *section, const char *key, int64_t value,
		     int64_t unit, const char *why, GError **err);

/*
 * Fill @owner from [@section] by @keys, defaults included, and mark the keys known.  Strings stay
 * owned by @c, which must outlive @owner.  False with *@err.
 */
bool config_apply(struct config *c, const char *section, const struct conf_key *keys, void *owner,
		  GError **err);

/* Mark a whole section as known (its keys are checked by somebody else, such as [workload]). */
void config_allow_section(struct config *c, const char *section);

/* After everybody applied: refuse the first section or key nobody knows.  */
bool config_check_unknown(const struct config *c, GError **err);

/* Write one value as a user would (for defaults and echo); returns new. */
char *conf_format(const struct conf_key *key, const void *owner);

/*
 * The upper bound of @key: its own, or the one of its type (10^6 s; 2^60 bytes, bytes a second or
 * things), which keeps sums and products of a few values below 2^63.  NULL for types without order.
 */
const char *conf_max(const struct conf_key *key);

/* Grade letter of a default: its own suffix, else the one in its help; or 0. */
char conf_default_grade(const struct conf_key *key);

/* Parsers of single values, for tables of other kinds.  False with *@err ("expected ..."). */
bool conf_parse_nsec(const char *text, int64_t *ns, GError **err);
bool conf_parse_bytes(const char *text, int64_t *bytes, GError **err);
bool conf_parse_u64(const char *text, uint64_t *value, GError **err);

/* Assert that a table is sane (defaults parse and lie in bounds); called once a model at start. */
void conf_table_check(const struct conf_key *keys);

#endif
