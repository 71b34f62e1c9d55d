/*
 * sim/cmd_validate_files.h - counters of /proc and of a cgroup that lie beside a capture.
 */
#ifndef SIM_CMD_VALIDATE_FILES_H
#define SIM_CMD_VALIDATE_FILES_H

#include "sim/cmd_validate_cells.h"

/*
 * Beside the capture @path with base name @base, or in the folder meta/ there: BASE.vmstat.before
 * and .after, BASE.memory.stat (.before and .after), BASE.stat.before and .after (of kswapd).  What
 * they say goes into @metrics, unless a metric of that name is there.
 */
void validate_read_files(const char *path, const char *base, GArray *metrics);

#endif
