#include "deepsim/image_sensor.h"
void ds_image_sensor_encode( const ds_image_sensor_config *config, int64_t count, const float *red, const float *green, const float *blue, uint8_t *color8, uint16_t *color16 );
