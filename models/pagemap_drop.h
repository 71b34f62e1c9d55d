/*
 * models/pagemap_drop.h - when a dropbehind folio leaves the cache, and mapped folios.  Level 2.
 */
#ifndef MODELS_PAGEMAP_DROP_H
#define MODELS_PAGEMAP_DROP_H

#include "models/pagemap.h"

extern const struct model_ops dropbehind_model;

/* folio_end_dropbehind(): writeback of the dropbehind @folio has ended, in the context given. */
void folio_end_dropbehind(struct filemap *fm, struct folio *folio, bool in_task);

/* filemap_end_dropbehind(): try to drop @folio now.  True when it left the cache. */
bool filemap_end_dropbehind(struct filemap *fm, struct folio *folio);

/* CPU time of dropping one page at the end of writeback, ns. */
int64_t drop_page_cost_ns(const struct filemap *fm);

/*
 * A task touches page @index through its mapping (filemap_fault()): NULL when it is not cached (a
 * major fault: read it first), otherwise the folio, mapped; a minor fault if it was not before.
 */
struct folio *filemap_fault(struct filemap *fm, struct address_space *mapping, pgoff_t index);

/* Take @folio out of the page tables; it may sleep. */
void folio_unmap(struct filemap *fm, struct folio *folio);

#endif
