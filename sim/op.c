/*
 * sim/op.c - names and checks of struct op.
 */
#include "sim/op.h"

static const struct {
	const char *name;
	unsigned int class;
} kinds[] = {
	/* clang-format off */
	[OP_OPEN]          = { "open",             OP_CLASS_FILE },
	[OP_CLOSE]         = { "close",            OP_CLASS_FILE },
	[OP_READ]          = { "read",             OP_CLASS_FILE },
	[OP_WRITE]         = { "write",            OP_CLASS_FILE },
	[OP_FSYNC]         = { "fsync",            OP_CLASS_FILE },
	[OP_TRUNCATE]      = { "truncate",         OP_CLASS_FILE },
	[OP_UNLINK]        = { "unlink",           OP_CLASS_FILE },
	[OP_FADVISE]       = { "fadvise",          OP_CLASS_FILE },
	[OP_NODE_READ]     = { "node_read",        OP_CLASS_FILE },
	[OP_BIO_READ]      = { "bio_read",         OP_CLASS_BLOCK },
	[OP_BIO_WRITE]     = { "bio_write",        OP_CLASS_BLOCK },
	[OP_FLUSH]         = { "flush",            OP_CLASS_BLOCK },
	[OP_DISCARD]       = { "discard",          OP_CLASS_BLOCK },
	[OBS_CACHE_ADD]    = { "obs_cache_add",    OP_CLASS_OBSERVED },
	[OBS_CACHE_DELETE] = { "obs_cache_delete", OP_CLASS_OBSERVED },
	[OBS_DIRTY]        = { "obs_dirty",        OP_CLASS_OBSERVED },
	[OBS_READAHEAD]    = { "obs_readahead",    OP_CLASS_OBSERVED },
	[OBS_WRITE_PAGE]   = { "obs_write_page",   OP_CLASS_OBSERVED },
	[OBS_MAP]          = { "obs_map",          OP_CLASS_OBSERVED },
	[OBS_SIZE]         = { "obs_size",         OP_CLASS_OBSERVED },
	[OBS_FLUSH_SEQUENCE] = { "obs_flush_sequence", OP_CLASS_OBSERVED },
	[OBS_BIO]          = { "obs_bio",          OP_CLASS_OBSERVED },
	[OBS_RECLAIM]      = { "obs_reclaim",      OP_CLASS_OBSERVED },
	[OBS_BALANCE_DIRTY] = { "obs_balance_dirty", OP_CLASS_OBSERVED },
	[OBS_DIRTY_STATE]  = { "obs_dirty_state",  OP_CLASS_OBSERVED },
	/* clang-format on */
};

static_assert(G_N_ELEMENTS(kinds) == OP_NR_KINDS, "every kind has a name");

static const char *const flag_names[] = {
	"dontcache", "direct", "sync",	 "append",  "meta", "fua",    "preflush",  "rahead",
	"datasync",  "atomic", "secure", "unbound", "node", "create", "cross_cpu", "passthrough",
};

static_assert(G_N_ELEMENTS(flag_names) == OP_NR_FLAGS, "every flag has a name");

GQuark f2sim_error_quark(void)
{
	return g_quark_from_static_string("f2sim-error");
}

unsigned int op_class(enum op_kind kind)
{
	assert(kind < OP_NR_KINDS);
	return kinds[kind].class;
}

const char *op_kind_name(enum op_kind kind)
{
	assert(kind < OP_NR_KINDS);
	return kinds[kind].name;
}

enum op_kind op_kind_from_name(const char *name)
{
	for (unsigned int i = 0; i < OP_NR_KINDS; i++)
		if (!g_strcmp0(kinds[i].name, name))
			return (enum op_kind)i;
	return OP_NR_KINDS;
}

const char *op_flag_name(unsigned int bit)
{
	assert(bit < OP_NR_FLAGS);
	return flag_names[bit];
}

static bool time_fits(int64_t ns)
{
	return ns == OP_NO_TIME || (ns >= OP_MIN_NS && ns <= OP_MAX_NS);
}

/* aux as a byte address on the device. */
static bool has_address(const struct op *op)
{
	return op->kind == OBS_MAP || op->kind == OBS_WRITE_PAGE;
}

static bool moved_too_much(const struct op *op)
{
	return (op->kind == OP_READ || op->kind == OP_WRITE) && op->done_ns != OP_NO_TIME &&
	       op->result > op->len;
}

const char *op_fault(const struct op *op)
{
	if (op->kind >= OP_NR_KINDS)
		return "unknown kind";
	if (op->flags >> OP_NR_FLAGS)
		return "unknown flag";
	if (op->pos < 0)
		return "negative offset";
	if (op->len < 0)
		return "negative length";
	if (op->pos > OP_MAX_BYTES || op->len > OP_MAX_BYTES - op->pos)
		return "offset + length is beyond 2^60 bytes";
	if (has_address(op) && op->aux > (uint64_t)OP_MAX_BYTES)
		return "address is beyond 2^60 bytes";
	if (!time_fits(op->time_ns) || !time_fits(op->done_ns))
		return "time is not between -2^61 and 2^62 ns";
	if (moved_too_much(op))
		return "result is larger than the length";
	return NULL;
}

bool op_valid(const struct op *op, GError **err)
{
	const char *fault = op_fault(op);

	if (fault)
		g_set_error_literal(err, F2SIM_ERROR, F2SIM_ERROR_INPUT, fault);
	return !fault;
}

int op_cmp_time(const struct op *a, const struct op *b)
{
	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}
