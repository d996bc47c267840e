#include "base/base.h"
#include "optics/lens_internal.h"

ds_status ds_calibration_read( const char *path, ds_lens *lens )
{
	(void)lens;
	return ds_error( DS_ERROR_UNSUPPORTED, "%s: calibration files are not read yet", path );
}
