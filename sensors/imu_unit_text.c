// Text of datasheets as numbers and products of units: grammar only, so that any combination of units can be read.

#include "base/base.h"
#include "sensors/imu_units.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI        3.14159265358979323846
#define MAX_DEPTH 16

// ---- units ---------------------------------------------------------------------------------------------------------

typedef struct unit_name
{
	const char *name; // lower case
	double factor; // to SI
	int angle, length, time, kelvin, count; // exponents
	const char *prefixes; // that it takes, or NULL
} unit_name;

static const unit_name units[] = {
	{ "rad", 1, 1, 0, 0, 0, 0, "mun" },
	{ "radian", 1, 1, 0, 0, 0, 0, NULL },
	{ "radians", 1, 1, 0, 0, 0, 0, NULL },
	{ "deg", PI / 180, 1, 0, 0, 0, 0, "mu" },
	{ "degree", PI / 180, 1, 0, 0, 0, 0, NULL },
	{ "degrees", PI / 180, 1, 0, 0, 0, 0, NULL },
	{ "arcmin", PI / 10800, 1, 0, 0, 0, 0, NULL },
	{ "arcminute", PI / 10800, 1, 0, 0, 0, 0, NULL },
	{ "arcminutes", PI / 10800, 1, 0, 0, 0, 0, NULL },
	{ "arcsec", PI / 648000, 1, 0, 0, 0, 0, "mu" },
	{ "arcsecs", PI / 648000, 1, 0, 0, 0, 0, NULL },
	{ "arcsecond", PI / 648000, 1, 0, 0, 0, 0, NULL },
	{ "arcseconds", PI / 648000, 1, 0, 0, 0, 0, NULL },
	{ "rev", 2 * PI, 1, 0, 0, 0, 0, NULL },
	{ "rpm", 2 * PI / 60, 1, 0, -1, 0, 0, NULL },
	{ "dps", PI / 180, 1, 0, -1, 0, 0, "mu" },
	{ "dph", PI / 648000, 1, 0, -1, 0, 0, "m" },
	{ "m", 1, 0, 1, 0, 0, 0, "kcmun" },
	{ "meter", 1, 0, 1, 0, 0, 0, NULL },
	{ "meters", 1, 0, 1, 0, 0, 0, NULL },
	{ "metre", 1, 0, 1, 0, 0, 0, NULL },
	{ "metres", 1, 0, 1, 0, 0, 0, NULL },
	{ "ft", 0.3048, 0, 1, 0, 0, 0, NULL },
	{ "foot", 0.3048, 0, 1, 0, 0, 0, NULL },
	{ "feet", 0.3048, 0, 1, 0, 0, 0, NULL },
	{ "g", DS_STANDARD_GRAVITY, 0, 1, -2, 0, 0, "mun" },
	{ "gn", DS_STANDARD_GRAVITY, 0, 1, -2, 0, 0, NULL },
	{ "g0", DS_STANDARD_GRAVITY, 0, 1, -2, 0, 0, NULL },
	{ "gal", 0.01, 0, 1, -2, 0, 0, "mu" },
	{ "s", 1, 0, 0, 1, 0, 0, "mun" },
	{ "sec", 1, 0, 0, 1, 0, 0, "mu" },
	{ "secs", 1, 0, 0, 1, 0, 0, NULL },
	{ "second", 1, 0, 0, 1, 0, 0, NULL },
	{ "seconds", 1, 0, 0, 1, 0, 0, NULL },
	{ "min", 60, 0, 0, 1, 0, 0, NULL },
	{ "mins", 60, 0, 0, 1, 0, 0, NULL },
	{ "minute", 60, 0, 0, 1, 0, 0, NULL },
	{ "minutes", 60, 0, 0, 1, 0, 0, NULL },
	{ "h", 3600, 0, 0, 1, 0, 0, NULL },
	{ "hr", 3600, 0, 0, 1, 0, 0, NULL },
	{ "hrs", 3600, 0, 0, 1, 0, 0, NULL },
	{ "hour", 3600, 0, 0, 1, 0, 0, NULL },
	{ "hours", 3600, 0, 0, 1, 0, 0, NULL },
	{ "day", 86400, 0, 0, 1, 0, 0, NULL },
	{ "days", 86400, 0, 0, 1, 0, 0, NULL },
	{ "hz", 1, 0, 0, -1, 0, 0, "kMm" },
	{ "hertz", 1, 0, 0, -1, 0, 0, NULL },
	{ "k", 1, 0, 0, 0, 1, 0, NULL },
	{ "kelvin", 1, 0, 0, 0, 1, 0, NULL },
	{ "c", 1, 0, 0, 0, 1, 0, NULL },
	{ "degc", 1, 0, 0, 0, 1, 0, NULL },
	{ "celsius", 1, 0, 0, 0, 1, 0, NULL },
	{ "degf", 5.0 / 9, 0, 0, 0, 1, 0, NULL },
	{ "lsb", 1, 0, 0, 0, 0, 1, NULL },
	{ "lsbs", 1, 0, 0, 0, 0, 1, NULL },
	{ "bit", 1, 0, 0, 0, 0, 1, NULL },
	{ "digit", 1, 0, 0, 0, 0, 1, NULL },
	{ "count", 1, 0, 0, 0, 0, 1, NULL },
	{ "counts", 1, 0, 0, 0, 0, 1, NULL },
	{ "ppm", 1e-6, 0, 0, 0, 0, 0, NULL },
	{ "ppb", 1e-9, 0, 0, 0, 0, 0, NULL },
	{ "%", 1e-2, 0, 0, 0, 0, 0, NULL },
	{ "percent", 1e-2, 0, 0, 0, 0, 0, NULL },
};

static ds_imu_unit raised( ds_imu_unit u, int halves )
{
	u.factor = pow( u.factor, 0.5 * halves );
	for ( int i = 0; i < 5; ++i )
	{
		u.half[i] = u.half[i] * halves / 2;
	}
	return u;
}

static ds_imu_unit product( ds_imu_unit a, ds_imu_unit b )
{
	a.factor *= b.factor;
	for ( int i = 0; i < 5; ++i )
	{
		a.half[i] += b.half[i];
	}
	return a;
}

static bool same_name( const char *name, const char *word, size_t length )
{
	for ( size_t i = 0; i < length; ++i )
	{
		if ( name[i] != tolower( (unsigned char)word[i] ) )
		{
			return false;
		}
	}
	return name[length] == 0;
}

static double prefix_factor( const unit_name *unit, char letter )
{
	const char lower = (char)tolower( (unsigned char)letter );
	char used = strchr( unit->prefixes, letter ) ? letter : lower;
	if ( used == 0 || strchr( unit->prefixes, used ) == NULL )
	{
		return 0;
	}
	return used == 'k' ? 1e3 : used == 'M' ? 1e6 : used == 'c' ? 1e-2 : used == 'm' ? 1e-3 : used == 'u' ? 1e-6 : 1e-9;
}

static bool find_unit( const char *word, size_t length, ds_imu_unit *found )
{
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( size_t i = 0; i < sizeof( units ) / sizeof( units[0] ); ++i )
		{
			const unit_name *u = &units[i];
			double factor = 1;
			if ( pass == 1 )
			{
				factor = u->prefixes && length > 1 ? prefix_factor( u, word[0] ) : 0;
			}
			if ( factor > 0 && same_name( u->name, word + pass, length - (size_t)pass ) )
			{
				*found = ( ds_imu_unit ){ factor * u->factor,
					{ 2 * u->angle, 2 * u->length, 2 * u->time, 2 * u->kelvin, 2 * u->count } };
				return true;
			}
		}
	}
	return false;
}

// ---- reading -------------------------------------------------------------------------------------------------------

ds_status ds_imu_wrong( const ds_imu_reader *r, const char *what, const char *word, size_t length )
{
	if ( length == 0 )
	{
		return ds_error( DS_ERROR_FORMAT, "\"%s\": %s", r->text, what );
	}
	char shown[128];
	size_t n = 0;
	for ( size_t i = 0; i < length && i < 40; ++i )
	{
		const char letter[2] = { word[i], 0 };
		const char *sign = word[i] == DS_IMU_ROOT ? "√" : word[i] == DS_IMU_BOTH_SIGNS ? "±" : letter;
		n += (size_t)snprintf( shown + n, sizeof( shown ) - n, "%s", sign );
	}
	return ds_error( DS_ERROR_FORMAT, "\"%s\": %s \"%s\"", r->text, what, shown );
}

static void skip_spaces( ds_imu_reader *r )
{
	r->p += strspn( r->p, " " );
}

static size_t word_length( const char *p )
{
	size_t n = 0;
	while ( isalpha( (unsigned char)p[n] ) || p[n] == '%' )
	{
		++n;
	}
	return n;
}

// What may stand behind a quantity and changes nothing. "p-p" and "FS" do, and are not among them.
static bool is_qualifier( const char *p )
{
	static const char *const words[] = { "rms", "typ", "typical", "max", "maximum", "nominal", "nom", "sigma" };
	p += strspn( p, " (.,1" );
	size_t length = word_length( p );
	for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
	{
		if ( length > 0 && same_name( words[i], p, length ) )
		{
			return true;
		}
	}
	return false;
}

// A plain decimal number, of JSON's form but for what may be left out: ".5", "5.", "+5". `digits`: without exponent.
static bool read_number( ds_imu_reader *r, bool exponent, double *number )
{
	char copy[64];
	size_t n = 0, digits = 0;
	const char *p = r->p, *point = localeconv()->decimal_point;
	copy[n] = 0;
	if ( *p == '+' || *p == '-' )
	{
		copy[n++] = *p++;
	}
	for ( int part = 0; part < 2; ++part )
	{
		for ( ; isdigit( (unsigned char)*p ) && n < 40; ++digits )
		{
			copy[n++] = *p++;
		}
		if ( part == 0 && *p == '.' )
		{
			++p;
			n += (size_t)snprintf( copy + n, sizeof( copy ) - n, "%.4s", point );
			continue;
		}
		break;
	}
	if ( exponent && ( *p == 'e' || *p == 'E' ) )
	{
		size_t sign = p[1] == '-' || p[1] == '+', length = strspn( p + 1 + sign, "0123456789" );
		if ( length > 0 && length <= 4 )
		{
			n += (size_t)snprintf( copy + n, sizeof( copy ) - n, "%.*s", (int)( 1 + sign + length ), p );
			p += 1 + sign + length;
		}
	}
	copy[n] = 0;
	if ( digits == 0 || isdigit( (unsigned char)*p ) || *p == '.' )
	{
		return false;
	}
	*number = strtod( copy, NULL );
	r->p = p;
	return true;
}

// An exponent behind a unit, in halves: "^2", "^-1/2", "^(0.5)", "**2", or digits alone ("s2", "s-1"). 2: there is none.
static ds_status read_exponent( ds_imu_reader *r, bool bare, int *halves )
{
	*halves = 2;
	const char *start = r->p;
	bool marked = *r->p == '^' || strncmp( r->p, "**", 2 ) == 0;
	bool digits = isdigit( (unsigned char)*r->p ) || ( *r->p == '-' && isdigit( (unsigned char)r->p[1] ) );
	if ( !marked && !( bare && digits ) )
	{
		return DS_OK;
	}
	r->p += !marked ? 0 : *r->p == '^' ? 1 : 2;
	char close = *r->p == '(' ? ')' : *r->p == '{' ? '}' : 0;
	r->p += close != 0;
	double number;
	if ( !read_number( r, false, &number ) )
	{
		return ds_imu_wrong( r, "there is no exponent in", start, strlen( start ) );
	}
	if ( marked && strncmp( r->p, "/2", 2 ) == 0 && !isdigit( (unsigned char)r->p[2] ) )
	{
		number /= 2;
		r->p += 2;
	}
	double twice = 2 * number;
	if ( !( fabs( twice ) <= 12 ) || twice != floor( twice ) || ( close && *r->p != close ) )
	{
		return ds_imu_wrong(
			r, "an exponent must be a multiple of a half, up to 6, not", start, (size_t)( r->p - start ) );
	}
	r->p += close != 0;
	*halves = (int)twice;
	return DS_OK;
}

static ds_status check_size( const ds_imu_reader *r, const ds_imu_unit *u )
{
	return u->factor > 1e-100 && u->factor < 1e100
			   ? DS_OK
			   : ds_imu_wrong( r, "no unit of an inertial sensor has such powers", "", 0 );
}

static ds_status power( const ds_imu_reader *r, ds_imu_unit *u, int halves )
{
	for ( int i = 0; i < 5; ++i )
	{
		if ( u->half[i] * halves % 2 || abs( u->half[i] * halves ) > 200 )
		{
			return ds_imu_wrong( r, "no unit of an inertial sensor has such powers", "", 0 );
		}
	}
	*u = raised( *u, halves );
	return check_size( r, u );
}

static ds_status read_product( ds_imu_reader *r, ds_imu_unit *value );

static ds_status unknown_unit( const ds_imu_reader *r, const char *word, size_t length )
{
	const char *names[sizeof( units ) / sizeof( units[0] )];
	for ( size_t i = 0; i < sizeof( units ) / sizeof( units[0] ); ++i )
	{
		names[i] = units[i].name;
	}
	char copy[48], what[128] = "there is no unit";
	snprintf( copy, sizeof( copy ), "%.*s", (int)( length < 40 ? length : 40 ), word );
	const char *nearest =
		length > 2 && word[0] != '%' ? ds_nearest_name( copy, names, sizeof( names ) / sizeof( names[0] ) ) : NULL;
	if ( nearest )
	{
		snprintf( what, sizeof( what ), "did you mean \"%s\"? There is no unit", nearest );
	}
	return ds_imu_wrong( r, what, word, length );
}

// The root signs "sqrt", "rt" and "root", alone or before a unit without a space ("rthz"); 0: there is none.
static size_t root_length( const char *p )
{
	static const char *const roots[] = { "sqrt", "root", "rt" };
	if ( *p == DS_IMU_ROOT )
	{
		return 1;
	}
	size_t length = word_length( p );
	for ( size_t i = 0; i < sizeof( roots ) / sizeof( roots[0] ); ++i )
	{
		size_t n = strlen( roots[i] );
		ds_imu_unit unused;
		if ( length >= n && same_name( roots[i], p, n ) && ( length == n || find_unit( p + n, length - n, &unused ) ) )
		{
			return n;
		}
	}
	return 0;
}

// "micro" and its kind as words of their own: "micro-g".
static double prefix_word( ds_imu_reader *r )
{
	static const struct
	{
		const char *word;
		double factor;
	} words[] = { { "milli", 1e-3 }, { "micro", 1e-6 }, { "nano", 1e-9 }, { "kilo", 1e3 } };
	size_t length = word_length( r->p );
	for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
	{
		size_t n = strlen( words[i].word );
		ds_imu_unit unused;
		if ( length < n || !same_name( words[i].word, r->p, n ) )
		{
			continue;
		}
		if ( length > n ? find_unit( r->p + n, length - n, &unused ) : r->p[n] == '-' || r->p[n] == ' ' )
		{
			r->p += n + ( length == n );
			return words[i].factor;
		}
	}
	return 1;
}

// A unit, a group in parentheses, or 1.
static ds_status read_primary( ds_imu_reader *r, ds_imu_unit *value )
{
	skip_spaces( r );
	if ( *r->p == '(' )
	{
		++r->p;
		DS_TRY( read_product( r, value ) );
		skip_spaces( r );
		return *r->p++ == ')' ? DS_OK : ds_imu_wrong( r, "a parenthesis is not closed", "", 0 );
	}
	if ( *r->p == '1' && !isdigit( (unsigned char)r->p[1] ) && r->p[1] != '.' )
	{
		++r->p;
		*value = ( ds_imu_unit ){ 1, { 0 } };
		return DS_OK;
	}
	double factor = prefix_word( r );
	size_t length = word_length( r->p );
	if ( length == 0 )
	{
		return *r->p ? ds_imu_wrong( r, "expected a unit at", r->p, strlen( r->p ) )
					 : ds_imu_wrong( r, "it ends where a unit must follow", "", 0 );
	}
	// "g0" is a name with a digit
	length += length == 1 && ( *r->p == 'g' || *r->p == 'G' ) && r->p[1] == '0';
	if ( !find_unit( r->p, length, value ) )
	{
		return unknown_unit( r, r->p, length );
	}
	value->factor *= factor;
	r->p += length;
	return DS_OK;
}

static ds_status read_factor( ds_imu_reader *r, ds_imu_unit *value )
{
	skip_spaces( r );
	int halves;
	size_t root = root_length( r->p );
	if ( root == 0 )
	{
		bool group = *r->p == '(';
		DS_TRY( read_primary( r, value ) );
		DS_TRY( read_exponent( r, !group, &halves ) );
		return power( r, value, halves );
	}
	r->p += root;
	r->p += *r->p == '-' || *r->p == '_';
	DS_TRY( read_primary( r, value ) );
	DS_TRY( power( r, value, 1 ) );
	DS_TRY( read_exponent( r, false, &halves ) );
	return power( r, value, halves );
}

// The sign between two factors: '*', '/' ("per" too), ' ' (a space multiplies), or 0 at the end.
static char read_sign( ds_imu_reader *r )
{
	const char *before = r->p;
	skip_spaces( r );
	if ( *r->p == '/' || ( *r->p == '*' && r->p[1] != '*' ) )
	{
		return *r->p++;
	}
	if ( word_length( r->p ) == 3 && same_name( "per", r->p, 3 ) )
	{
		r->p += 3;
		return '/';
	}
	bool more = *r->p && *r->p != ')' && !is_qualifier( r->p );
	return more && ( r->p > before || *r->p == '(' || *r->p == DS_IMU_ROOT ) ? ' ' : 0;
}

static ds_status read_product( ds_imu_reader *r, ds_imu_unit *value )
{
	if ( ++r->depth > MAX_DEPTH )
	{
		return ds_imu_wrong( r, "too many parentheses", "", 0 );
	}
	DS_TRY( read_factor( r, value ) );
	for ( char sign = read_sign( r ); sign; sign = read_sign( r ) )
	{
		ds_imu_unit next;
		DS_TRY( read_factor( r, &next ) );
		if ( sign == '/' )
		{
			DS_TRY( power( r, &next, -2 ) );
		}
		*value = product( *value, next );
		DS_TRY( check_size( r, value ) );
	}
	--r->depth;
	return DS_OK;
}

ds_status ds_imu_read_unit( ds_imu_reader *r, ds_imu_unit *value )
{
	DS_TRY( read_product( r, value ) );
	while ( is_qualifier( r->p ) )
	{
		r->p += strspn( r->p, " (.,1" );
		r->p += word_length( r->p );
	}
	r->p += strspn( r->p, " )." );
	return *r->p ? ds_imu_wrong( r, "expected nothing more at", r->p, strlen( r->p ) ) : DS_OK;
}

// "x 10^-3" behind a number.
static bool read_power_of_ten( ds_imu_reader *r, double *number )
{
	const char *p = r->p + strspn( r->p, " " );
	if ( *p != '*' && *p != 'x' && *p != 'X' )
	{
		return true;
	}
	p += 1 + strspn( p + 1, " " );
	if ( strncmp( p, "10^", 3 ) != 0 )
	{
		return true;
	}
	double exponent;
	r->p = p + 3;
	if ( !read_number( r, false, &exponent ) || exponent != floor( exponent ) || !( fabs( exponent ) < 300 ) )
	{
		return false;
	}
	*number *= pow( 10, exponent );
	return true;
}

// The number before the unit, and signs before that.
ds_status ds_imu_read_value( ds_imu_reader *r, double *value, bool *both_signs )
{
	*both_signs = false;
	for ( ;; )
	{
		size_t skip = strspn( r->p, " <>=~" );
		bool signs = r->p[skip] == DS_IMU_BOTH_SIGNS || strncmp( r->p + skip, "+/-", 3 ) == 0 ||
					 strncmp( r->p + skip, "+-", 2 ) == 0;
		if ( !signs )
		{
			r->p += skip;
			break;
		}
		*both_signs = true;
		r->p += skip + ( r->p[skip] == DS_IMU_BOTH_SIGNS ? 1 : r->p[skip + 1] == '/' ? 3 : 2 );
	}
	if ( !read_number( r, true, value ) || !read_power_of_ten( r, value ) )
	{
		return ds_imu_wrong( r, "expected a number and a unit, as in \"0.66 deg/sqrt(h)\"", "", 0 );
	}
	skip_spaces( r );
	bool second = *r->p == '-' || *r->p == ',' || ( r->p[0] == 't' && r->p[1] == 'o' && r->p[2] == ' ' );
	return second ? ds_imu_wrong( r, "expected one number, with a point and not a comma, and a unit", "", 0 ) : DS_OK;
}
