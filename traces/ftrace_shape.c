/*
 * traces/ftrace_shape.c - see traces/ftrace_shape.h.
 *
 * A shape is a list of steps: bytes that must be there, then a number.  Numbers that nobody wants
 * (a pfn, flags) are runs of word characters beginning with a digit behind none, and are stepped
 * over.  An event that has two or three texts (a list of flags by name) keeps KEPT shapes.
 *
 * I1  the steps' bytes and the tail are the body learnt without its numbers, in order.
 */
#include "traces/ftrace_shape.h"

#include <string.h>

#include "traces/ftrace_body.h"

#define KEPT 3u
#define STEPS_MAX 32u
#define TEXT_MAX 384u

struct step {
	uint16_t bytes; /* of text in front of the number */
	uint8_t field;	/* enum ftrace_field; F_NR: not wanted */
	uint8_t conv;
};

struct shape {
	bool valid;
	unsigned int nr;
	size_t tail; /* bytes of text behind the last number */
	struct step steps[STEPS_MAX];
	char text[TEXT_MAX];
};

struct ftrace_shapes {
	struct shape shapes[FT_NR_IDS][KEPT];
	unsigned int next[FT_NR_IDS]; /* to be replaced */
};

struct ftrace_shapes *ftrace_shapes_new(void)
{
	return g_new0(struct ftrace_shapes, 1);
}

void ftrace_shapes_free(struct ftrace_shapes *shapes)
{
	g_free(shapes);
}

const char *ftrace_value(const char *p, enum ftrace_conv conv, uint64_t *v)
{
	if (conv == FTRACE_DEVICE)
		return ftrace_body_device(p, v);
	p = ftrace_body_number(p, conv == FTRACE_HEX, v);
	if (p && conv == FTRACE_ORDER) {
		if (*v > 20)
			return NULL;
		*v = (uint64_t)PAGE_SIZE << *v;
	} else if (p && conv == FTRACE_PAGES) {
		if (*v > (uint64_t)INT64_MAX >> PAGE_SHIFT)
			return NULL;
		*v <<= PAGE_SHIFT;
	}
	return p;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_word(const char *p)
{
	while (ftrace_body_is_word(*p))
		p++;
	return p;
}

static bool match(const struct shape *s, struct ftrace_event *e, const char *p, const char *end)
{
	const char *text = s->text;
	uint64_t v;

	for (const struct step *step = s->steps; step < s->steps + s->nr; step++) {
		if ((size_t)(end - p) <= step->bytes || memcmp(p, text, step->bytes) != 0)
			return false;
		p += step->bytes;
		text += step->bytes;
		if (step->field == F_NR) {
			if (!is_digit(*p))
				return false;
			p = skip_word(p);
			continue;
		}
		p = ftrace_value(p, (enum ftrace_conv)step->conv, &v);
		if (!p || ftrace_body_is_word(*p))
			return false;
		ftrace_set(e, (enum ftrace_field)step->field, v);
	}
	return (size_t)(end - p) == s->tail && memcmp(p, text, s->tail) == 0;
}

bool ftrace_shapes_match(const struct ftrace_shapes *shapes, struct ftrace_event *e,
			 const char *body, size_t len)
{
	for (unsigned int i = 0; i < KEPT; i++) {
		const struct shape *s = &shapes->shapes[e->id][i];

		e->has = 0;
		if (s->valid && match(s, e, body, body + len))
			return true;
	}
	e->has = 0;
	return false;
}

/* Add the text [@from, @to) and a number; false when there is no more room. */
static bool add_step(struct shape *s, size_t *used, const char *from, const char *to,
		     struct step step)
{
	size_t n = (size_t)(to - from);

	if (s->nr == STEPS_MAX || n > TEXT_MAX - *used)
		return false;
	memcpy(s->text + *used, from, n);
	*used += n;
	step.bytes = (uint16_t)n;
	s->steps[s->nr++] = step;
	return true;
}

static const struct ftrace_found *found_at(const struct ftrace_found *found, unsigned int nr,
					   const char *p)
{
	for (unsigned int i = 0; i < nr; i++)
		if (found[i].at == p)
			return &found[i];
	return NULL;
}

static bool learn(struct shape *s, const char *body, const char *end,
		  const struct ftrace_found *found, unsigned int nr)
{
	const char *from = body;
	unsigned int taken = 0;
	size_t used = 0;

	for (const char *p = body; p < end;) {
		const struct ftrace_found *f = found_at(found, nr, p);
		struct step step = {.field = F_NR};
		const char *number = p;
		uint64_t v;

		if (f) {
			step.field = (uint8_t)f->field;
			step.conv = (uint8_t)f->conv;
			taken++;
			if (p > body &&
			    ftrace_body_is_word(p[-1])) /* "ino-1": a digit hides the key */
				return false;
			p = ftrace_value(p, f->conv, &v);
			if (!p || ftrace_body_is_word(*p))
				return false;
		} else if (is_digit(*p) && (p == body || !ftrace_body_is_word(p[-1]))) {
			p = skip_word(p);
		} else {
			p++;
			continue;
		}
		if (!add_step(s, &used, from, number, step))
			return false;
		from = p;
	}
	s->tail = (size_t)(end - from);
	if (taken != nr || s->tail > TEXT_MAX - used)
		return false;
	memcpy(s->text + used, from, s->tail);
	return true;
}

void ftrace_shapes_learn(struct ftrace_shapes *shapes, enum ftrace_id id, const char *body,
			 size_t len, const struct ftrace_found *found, unsigned int nr)
{
	unsigned int *next = &shapes->next[id];
	struct shape *s = &shapes->shapes[id][*next];

	s->nr = 0;
	s->valid = learn(s, body, body + len, found, nr);
	*next = (*next + 1) % KEPT;
}
