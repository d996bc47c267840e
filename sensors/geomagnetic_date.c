// Decimal years of dates of the Gregorian calendar, UTC.

#include "deepsim/geomagnetic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_leap( int64_t year )
{
	return ( year % 4 == 0 && year % 100 != 0 ) || year % 400 == 0;
}

// Days from 1970-01-01 to the start of a year.
static int64_t year_start( int64_t year )
{
	int64_t y = year - 1;
	return 365 * ( year - 1970 ) + ( y / 4 - 1969 / 4 ) - ( y / 100 - 1969 / 100 ) + ( y / 400 - 1969 / 400 );
}

ds_status ds_decimal_year( const char *date, double *year )
{
	static const int lengths[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int y = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, end = 0;
	if ( date == NULL || year == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_decimal_year needs a date and room for the year" );
	}
	size_t length = strlen( date );
	bool good = strpbrk( date, "+ " ) == NULL &&
				( length == 10 ? sscanf( date, "%4d-%2d-%2d%n", &y, &month, &day, &end ) == 3
							   : length == 20 && sscanf( date, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &y, &month, &day, &hour,
													 &minute, &second, &end ) == 6 );
	good = good && (size_t)end == length && y >= 1 && month >= 1 && month <= 12 && day >= 1 &&
		   day <= lengths[month - 1] + ( month == 2 && is_leap( y ) ) && hour >= 0 && hour <= 23 && minute >= 0 &&
		   minute <= 59 && second >= 0 && second <= 60;
	if ( !good )
	{
		return ds_error( DS_ERROR_FORMAT,
			"expected a UTC date such as \"2026-06-01\" or \"2026-06-01T12:00:00Z\", got \"%.40s\"", date );
	}
	int days = day - 1 + ( month > 2 && is_leap( y ) );
	for ( int i = 0; i < month - 1; ++i )
	{
		days += lengths[i];
	}
	double passed = days + ( hour * 3600 + minute * 60 + second ) / 86400.0;
	*year = y + passed / ( is_leap( y ) ? 366 : 365 );
	return DS_OK;
}

double ds_decimal_year_of( double seconds )
{
	double days = seconds / 86400;
	if ( !isfinite( days ) || fabs( days ) > 5e5 ) // beyond the calendar of the years 601 to 3338
	{
		return 1970 + days / 365.2425;
	}
	int64_t year = 1970 + (int64_t)floor( days / 365.2425 );
	year -= days < (double)year_start( year );
	year += days >= (double)year_start( year + 1 );
	return (double)year + ( days - (double)year_start( year ) ) / ( is_leap( year ) ? 366 : 365 );
}
