/*
 * sim/cmd_calibrate.h - what the parts of calibrate share: latencies by class, observed and
 * simulated, and a device section in the making.
 *
 * A class is what requests have in common that a device model tells apart: operation, FUA, size (to
 * the next power of two), and for closed loops the queue depth.
 */
#ifndef SIM_CMD_CALIBRATE_H
#define SIM_CMD_CALIBRATE_H

#include "sim/cmd.h"
#include "sim/stat.h"

enum calib_quantile { Q_P5, Q_P50, Q_P95, Q_P99, Q_NR };

extern const uint32_t calib_ppm[Q_NR];
extern const char *const calib_quantile_names[Q_NR];

struct calib_class {
	uint8_t kind; /* OP_BIO_READ .. OP_DISCARD */
	bool fua;
	int64_t size;	    /* bytes, a power of two; 0 of a flush */
	unsigned int depth; /* closed loop of so many; 0 = issued as the capture says */
	uint64_t n, nr_simulated;
	uint64_t bytes;	  /* of all n */
	struct hist hist; /* observed, ns; empty where only quantiles are known (fio) */
	struct hist run;  /* of the simulation that goes on */
	int64_t observed[Q_NR], simulated[Q_NR]; /* ns */
};

/* What a direction kept the device busy with. */
struct calib_load {
	uint64_t n, bytes;
	int64_t busy_ns, latency_ns, busy_end;
	GArray *in_flight; /* int64_t: when each is done */
	unsigned int depth_max;
};

struct calib {
	char *const *paths; /* borrowed: the capture, or fio's JSON */
	struct capture_options capture;
	const char *model;	 /* [device] model */
	char **variants, **sets; /* over the machine that is simulated; borrowed */
	const char *grade; /* of what was fitted: "M", or "E" where latencies are only inferred */
	bool closed;	   /* closed loops instead of a timeline */
	GArray *classes;   /* struct calib_class */
	struct calib_load reads, writes;
	int64_t largest; /* bytes of a request */
};

/* A line of the section. */
struct calib_key {
	const char *name; /* static */
	char *value, *why;
};

void calib_init(struct calib *c);
void calib_fini(struct calib *c);

/* The class of such a request, made at need; valid until the next call. */
struct calib_class *calib_class(struct calib *c, enum op_kind kind, bool fua, int64_t bytes,
				unsigned int depth);

/* Latencies of the capture c->paths into c->classes; false with *@err when it has none. */
bool calib_read_capture(struct calib *c, GError **err);

/* Is @path a JSON file (fio --output-format=json)?  Its jobs into c->classes. */
bool calib_is_json(const char *path);
bool calib_read_fio(struct calib *c, GError **err);

/* Simulate what was read on the device of @keys (struct calib_key): simulated[] of every class. */
bool calib_simulate(struct calib *c, const GArray *keys, GError **err);

/* Fit c->model; returns the keys, with simulated[] of every class as they give it.  NULL with
 * *@err. */
GArray *calib_fit(struct calib *c, GError **err);

/* Start values of a flash device and steps towards what was observed (sim/cmd_calibrate_flash.c).
 */
GArray *calib_fit_flash(struct calib *c, GError **err);

GArray *calib_keys_new(void); /* owns values and reasons */
void calib_key_add(GArray *keys, const char *name, char *value, const char *why, ...)
	G_GNUC_PRINTF(4, 5);

/* Most of a kind (no FUA), or NULL. */
const struct calib_class *calib_main_class(const struct calib *c, enum op_kind kind);

/* The section with residuals as comments; returns new. */
char *calib_text(const struct calib *c, const GArray *keys);
JsonNode *calib_json(const struct calib *c, const GArray *keys);

#endif
