/*
 * traces/packer.h - what tells packed bytes from plain ones, and a truncated file from a broken
 * one.
 */
#ifndef TRACES_PACKER_H
#define TRACES_PACKER_H

#include "sim/types.h"

/* Does a file that begins with @head (6 bytes are enough) come from a packer that stream.c can
 * unpack? */
bool packer_magic(const uint8_t *head, size_t n);

/* Does the message @what (NULL is fine) of a libarchive 3.6 decoder mean that the packed stream
 * ends early? */
bool packer_says_truncated(const char *what);

#endif
