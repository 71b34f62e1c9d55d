/*
 * sim/cmd_emit_iolog.h - --emit iolog: OUT/ops.iolog, what was asked of the files, for fio.
 *
 * A command's file and not sim/emit_*.c, because the format is traces/iolog_write.c's.
 */
#ifndef SIM_CMD_EMIT_IOLOG_H
#define SIM_CMD_EMIT_IOLOG_H

#include "sim/emit.h"

extern const struct emit_ops emit_iolog;

#endif
