/*
 * models/inode_list.c - see models/inode_list.h.  Level 1.
 *
 * I1  every inode of a list names it in on_list, and the list counts them.
 */
#include "models/inode_list.h"

void inode_list_add_last(struct inode_list *list, struct inode *inode)
{
	assert(!inode->on_list);
	inode->on_list = list;
	inode->list_next = NULL;
	inode->list_prev = list->last;
	if (list->last)
		list->last->list_next = inode;
	else
		list->first = inode;
	list->last = inode;
	list->nr++;
}

void inode_list_remove(struct inode *inode)
{
	struct inode_list *list = inode->on_list;

	if (inode->list_prev)
		inode->list_prev->list_next = inode->list_next;
	else
		list->first = inode->list_next;
	if (inode->list_next)
		inode->list_next->list_prev = inode->list_prev;
	else
		list->last = inode->list_prev;
	inode->on_list = NULL;
	list->nr--;
}

void inode_list_check(const struct inode_list *list, bool ordered)
{
	ktime_t last = INT64_MIN;
	uint64_t nr = 0;

	for (const struct inode *inode = list->first; inode; inode = inode->list_next) {
		assert(inode->on_list == list);
		assert(!ordered || inode->dirtied_when >= last); /* I2 */
		last = inode->dirtied_when;
		nr++;
	}
	assert(nr == list->nr);
}
