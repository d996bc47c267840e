// Inside optics: the codes of AprilTags.

#ifndef DEEPSIM_OPTICS_BOARD_TAGS_H
#define DEEPSIM_OPTICS_BOARD_TAGS_H

#include <stdint.h>

#define DS_TAG36H11_COUNT 587

// A tag is a black frame of one module about 6 x 6 modules; a set bit is a white one. As this file's boards draw it, which is as OpenCV
// draws it, bit 0 is at the top left, row by row; the AprilTag library's own pictures are turned by half a turn.
extern const uint64_t ds_tag36h11[DS_TAG36H11_COUNT];

#endif
