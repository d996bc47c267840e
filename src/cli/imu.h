// `deepsim imu`: what its sources share.

#ifndef DEEPSIM_CLI_IMU_H
#define DEEPSIM_CLI_IMU_H

#include "base/json.h"
#include "cli/cli.h"
#include "deepsim/imu.h"

int cmd_imu_convert( int argc, char **argv );
int cmd_imu_record( int argc, char **argv );

// Writes a tree: objects line by line down to `levels` below it, what is deeper on one line.
void imu_put_tree( ds_json_writer *writer, const ds_json *value, int levels );

#endif
