// libdeepsim: simulation of deep-sea vehicles. This header includes the whole public interface.

#ifndef DEEPSIM_DEEPSIM_H
#define DEEPSIM_DEEPSIM_H

#include "deepsim/acoustic.h"
#include "deepsim/actuator.h"
#include "deepsim/allan.h"
#include "deepsim/altimeter.h"
#include "deepsim/base.h"
#include "deepsim/body.h"
#include "deepsim/contact.h"
#include "deepsim/current.h"
#include "deepsim/field.h"
#include "deepsim/frames.h"
#include "deepsim/gear.h"
#include "deepsim/imu.h"
#include "deepsim/joint.h"
#include "deepsim/log.h"
#include "deepsim/math.h"
#include "deepsim/mesh.h"
#include "deepsim/odometry.h"
#include "deepsim/plugin.h"
#include "deepsim/pressure.h"
#include "deepsim/query.h"
#include "deepsim/random.h"
#include "deepsim/registry.h"
#include "deepsim/scenario.h"
#include "deepsim/sensor.h"
#include "deepsim/soil.h"
#include "deepsim/terrain.h"
#include "deepsim/thruster.h"
#include "deepsim/track.h"
#include "deepsim/types.h"
#include "deepsim/waves.h"
#include "deepsim/wind.h"
#include "deepsim/world.h"

#endif
