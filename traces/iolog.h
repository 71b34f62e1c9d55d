/*
 * traces/iolog.h - fio's iolog (write_iolog=, read_iolog=), versions 2 and 3.
 */
#ifndef TRACES_IOLOG_H
#define TRACES_IOLOG_H

#include "traces/trace.h"

#define IOLOG_HEADER_V2 "fio version 2 iolog"
#define IOLOG_HEADER_V3 "fio version 3 iolog"
#define IOLOG_LINE_MAX 4095u /* fio reads lines into 4096 bytes and splits longer ones */

extern const struct trace_ops trace_iolog;

#endif
