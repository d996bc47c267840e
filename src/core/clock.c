#include "core/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS 1000000000

ds_time ds_clock_time( int64_t k, double rate )
{
	// whole rates exactly, in integers: whole seconds and the rest apart
	int64_t whole = (int64_t)rate;
	if ( (double)whole == rate && whole <= NS )
	{
		int64_t rest = k % whole;
		return k / whole * NS + ( rest * NS + whole / 2 ) / whole;
	}
	return (ds_time)llroundl( (long double)k * 1e9L / (long double)rate );
}

ds_time ds_clock_spacing( double rate )
{
	int64_t whole = (int64_t)rate;
	return (double)whole == rate && whole <= NS && NS % whole == 0 ? NS / whole : 0;
}

int64_t ds_clock_last( double rate )
{
	return (int64_t)( DS_CLOCK_END * rate );
}

// Days since 1970-01-01 of a date of the Gregorian calendar.
static int64_t days_from_date( int64_t year, int64_t month, int64_t day )
{
	// years that start on 1 March, so that the leap day is the last
	int64_t y = month <= 2 ? year - 1 : year, m = ( month + 9 ) % 12;
	return 365 * y + y / 4 - y / 100 + y / 400 + ( 153 * m + 2 ) / 5 + day - 1 - 719468;
}

ds_status ds_date_parse( const char *text, ds_time *seconds )
{
	static const int month_days[12] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year, month, day, hour, minute, second, end = 0;
	bool good = strlen( text ) == 20 &&
				sscanf( text, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour, &minute, &second, &end ) == 6 &&
				end == 20;
	good = good && year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= month_days[month - 1] && hour >= 0 &&
		   hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59;
	bool leap = good && ( ( year % 4 == 0 && year % 100 != 0 ) || year % 400 == 0 );
	if ( !good || ( month == 2 && day == 29 && !leap ) )
	{
		return ds_error( DS_ERROR_FORMAT,
			"expected a UTC date such as \"2026-06-01T00:00:00Z\", from year 1900 on, got \"%s\"", text );
	}
	*seconds = ( ( days_from_date( year, month, day ) * 24 + hour ) * 60 + minute ) * 60 + second;
	return DS_OK;
}

ds_status ds_world_date( const ds_world *world, char *text, size_t size )
{
	if ( world == NULL || text == NULL || size < 32 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_world_date needs a world and room for 32 characters" );
	}
	ds_time now = ds_world_time( world );
	int64_t seconds = world->epoch + now / NS, milliseconds = now % NS / 1000000;
	int64_t days = seconds / 86400, rest = seconds % 86400;
	if ( rest < 0 )
	{
		rest += 86400;
		--days;
	}
	// 400-year cycles from 1 March of year 0
	int64_t z = days + 719468, era = ( z >= 0 ? z : z - 146096 ) / 146097, doe = z - era * 146097;
	int64_t yoe = ( doe - doe / 1460 + doe / 36524 - doe / 146096 ) / 365,
			doy = doe - ( 365 * yoe + yoe / 4 - yoe / 100 );
	int64_t mp = ( 5 * doy + 2 ) / 153, day = doy - ( 153 * mp + 2 ) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
	int64_t year = yoe + era * 400 + ( month <= 2 );
	snprintf( text, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", (int)year, (int)month, (int)day, (int)( rest / 3600 ),
		(int)( rest / 60 % 60 ), (int)( rest % 60 ), (int)milliseconds );
	return DS_OK;
}
