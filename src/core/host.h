// The functions that plugins may call, and where they lead.

#ifndef DEEPSIM_SRC_HOST_H
#define DEEPSIM_SRC_HOST_H

#include "base/base.h"
#include "deepsim/plugin.h"

// Fills a host table whose memory and log go to `hooks` (which must outlive it; NULL: the C library's, and no log).
void ds_host_init( ds_host *host, const ds_hooks *hooks );

#endif
