#include "terrain/gear.h"

#include "deepsim/math.h"

#include <math.h>

#define ARRAYS     12 // doubles of an element
#define MOST_PADS  4096
#define MOST_LANES 256
#define SIDE_ROWS  4

// Edges of the rows of a side, from the middle out: finer where gear is in the ground most.
static const double side_edges[SIDE_ROWS + 1] = { 0, 0.5, 0.75, 0.9, 1 };

// ---- definition ----------------------------------------------------------------------------------------------------

typedef struct gear_range
{
	const char *name, *unit;
	double value, low, high;
} gear_range;

ds_status ds_gear_check( const ds_gear *gear )
{
	if ( gear == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "gear: a definition is needed" );
	}
	if ( gear->kind != DS_GEAR_WHEEL && gear->kind != DS_GEAR_BELT )
	{
		return ds_error( DS_ERROR_RANGE, "gear: kind is %d, and must be a wheel (%d) or a belt (%d)", (int)gear->kind,
			(int)DS_GEAR_WHEEL, (int)DS_GEAR_BELT );
	}
	const bool belt = gear->kind == DS_GEAR_BELT;
	const gear_range ranges[] = {
		{ "radius", "m", gear->radius, 1e-3, 100 },
		{ "width", "m", gear->width, 1e-3, 100 },
		{ "length", "m", gear->length, belt ? 1e-3 : 0, 1000 },
		{ "grouser_height", "m", gear->grouser_height, 0, isfinite( gear->radius ) ? gear->radius : 100 },
		{ "inertia", "kg m2", gear->inertia, 1e-9, 1e9 },
		{ "drag_torque", "N m", gear->drag_torque, 0, 1e9 },
		{ "drag_per_speed", "N m s/rad", gear->drag_per_speed, 0, 1e9 },
	};
	for ( size_t i = 0; i < sizeof( ranges ) / sizeof( ranges[0] ); ++i )
	{
		const gear_range *r = &ranges[i];
		if ( !isfinite( r->value ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "gear: %s is not finite", r->name );
		}
		if ( r->value < r->low || r->value > r->high )
		{
			return ds_error( DS_ERROR_RANGE, "gear: %s is %g %s, and must lie in [%g, %g]", r->name, r->value, r->unit,
				r->low, r->high );
		}
	}
	if ( gear->pads < 8 || gear->pads > MOST_PADS )
	{
		return ds_error( DS_ERROR_LIMIT, "gear: pads are %lld, and must be 8 to %d", (long long)gear->pads, MOST_PADS );
	}
	if ( gear->lanes < 1 || gear->lanes > MOST_LANES )
	{
		return ds_error(
			DS_ERROR_LIMIT, "gear: lanes are %lld, and must be 1 to %d", (long long)gear->lanes, MOST_LANES );
	}
	return DS_OK;
}

int32_t ds_gear_elements( const ds_gear *gear )
{
	return (int32_t)( gear->pads * ( gear->lanes + 2 * SIDE_ROWS ) );
}

double ds_gear_way( const ds_gear *gear )
{
	return 2 * DS_PI * gear->radius + ( gear->kind == DS_GEAR_BELT ? 2 * gear->length : 0 );
}

size_t ds_gear_room( const ds_gear *gear )
{
	return (size_t)ds_gear_elements( gear ) * ARRAYS;
}

// ---- the way round -------------------------------------------------------------------------------------------------

static double wrap( double s, double way )
{
	s = fmod( s, way );
	return s < 0 ? s + way : s < way ? s : 0;
}

// A place on the surface's way.
typedef struct gear_place
{
	double x; // of the centre that it lies about [m]
	double angle; // of its normal, from straight down towards the rear [rad]
	bool round; // on a round end
} gear_place;

// `s` from the front end of the lower run (a wheel: from its lowest point), in the sense of forward turning: to the rear, up, to the
// front, down.
static gear_place place_at( const ds_gear *gear, double s )
{
	gear_place place = { 0, s / gear->radius, true };
	if ( gear->kind == DS_GEAR_BELT )
	{
		const double length = gear->length, half = DS_PI * gear->radius;
		if ( s < length )
		{
			place = ( gear_place ){ 0.5 * length - s, 0, false };
		}
		else if ( s < length + half )
		{
			place = ( gear_place ){ -0.5 * length, ( s - length ) / gear->radius, true };
		}
		else if ( s < 2 * length + half )
		{
			place = ( gear_place ){ s - half - 1.5 * length, DS_PI, false };
		}
		else
		{
			place = ( gear_place ){ 0.5 * length, ( s - 2 * length ) / gear->radius, true };
		}
	}
	return place;
}

typedef struct gear_arrays
{
	double *x, *y, *z, *nx, *ny, *nz, *area, *vx, *vy, *vz, *width, *face_area;
} gear_arrays;

static gear_arrays part_room( const ds_gear *gear, double *room, ds_elements *elements )
{
	const size_t n = (size_t)ds_gear_elements( gear );
	gear_arrays a = { room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, room + 5 * n, room + 6 * n,
		room + 7 * n, room + 8 * n, room + 9 * n, room + 10 * n, room + 11 * n };
	*elements = ( ds_elements ){ .count = (int32_t)n,
		.x = a.x,
		.y = a.y,
		.z = a.z,
		.nx = a.nx,
		.ny = a.ny,
		.nz = a.nz,
		.area = a.area,
		.vx = a.vx,
		.vy = a.vy,
		.vz = a.vz,
		.width = a.width,
		.face_area = a.face_area };
	return a;
}

static void widen( ds_elements *elements, bool first, ds_vec3 p )
{
	ds_vec3 *l = &elements->lower, *u = &elements->upper;
	if ( first )
	{
		*l = *u = p;
		return;
	}
	*l = ds_v3( l->x < p.x ? l->x : p.x, l->y < p.y ? l->y : p.y, l->z < p.z ? l->z : p.z );
	*u = ds_v3( u->x > p.x ? u->x : p.x, u->y > p.y ? u->y : p.y, u->z > p.z ? u->z : p.z );
}

// What goes round: pads, lane by lane.
static void place_pads( const ds_gear *gear, double travel, const ds_pose *mount, const gear_arrays *a )
{
	const double way = ds_gear_way( gear ), pad = way / (double)gear->pads, lane = gear->width / (double)gear->lanes;
	const double outer = gear->radius + gear->grouser_height;
	const ds_vec3 across = ds_rotate( mount->attitude, ds_v3( 0, 1, 0 ) );
	for ( int64_t k = 0, i = 0; k < gear->pads; ++k )
	{
		const gear_place place = place_at( gear, wrap( travel + (double)k * pad, way ) );
		const double sine = sin( place.angle ), cosine = cos( place.angle );
		const double stretch = place.round ? outer / gear->radius : 1;
		const ds_vec3 edge =
			ds_pose_point( *mount, ds_v3( place.x - outer * sine, -0.5 * gear->width, outer * cosine ) );
		const ds_vec3 normal = ds_rotate( mount->attitude, ds_v3( -sine, 0, cosine ) );
		const ds_vec3 speed = ds_scale( stretch, ds_rotate( mount->attitude, ds_v3( -cosine, 0, -sine ) ) );
		for ( int64_t j = 0; j < gear->lanes; ++j, ++i )
		{
			const ds_vec3 p = ds_mad( edge, ( (double)j + 0.5 ) * lane, across );
			a->x[i] = p.x, a->y[i] = p.y, a->z[i] = p.z;
			a->nx[i] = normal.x, a->ny[i] = normal.y, a->nz[i] = normal.z;
			a->vx[i] = speed.x, a->vy[i] = speed.y, a->vz[i] = speed.z;
			a->area[i] = stretch * pad * lane;
			a->face_area[i] = stretch * pad * gear->width;
		}
	}
}

// The two sides, which only push against soil across: they stay where they are.
static void place_sides( const ds_gear *gear, const ds_pose *mount, const gear_arrays *a )
{
	const double way = ds_gear_way( gear ), pad = way / (double)gear->pads;
	const double outer = gear->radius + gear->grouser_height;
	const ds_vec3 normals[2] = { ds_rotate( mount->attitude, ds_v3( 0, -1, 0 ) ),
		ds_rotate( mount->attitude, ds_v3( 0, 1, 0 ) ) };
	int64_t i = gear->pads * gear->lanes;
	for ( int64_t k = 0; k < gear->pads; ++k )
	{
		const gear_place place = place_at( gear, ( (double)k + 0.5 ) * pad );
		const double sine = sin( place.angle ), cosine = cos( place.angle );
		for ( int row = 0; row < SIDE_ROWS; ++row )
		{
			const double low = side_edges[row] * outer, high = side_edges[row + 1] * outer, r = 0.5 * ( low + high );
			const double area = ( high - low ) * pad * ( place.round ? r / gear->radius : 1 );
			const ds_vec3 middle = ds_pose_point( *mount, ds_v3( place.x - r * sine, 0, r * cosine ) );
			for ( int side = 0; side < 2; ++side, ++i )
			{
				const ds_vec3 normal = normals[side], p = ds_mad( middle, 0.5 * gear->width, normal );
				a->x[i] = p.x, a->y[i] = p.y, a->z[i] = p.z;
				a->nx[i] = normal.x, a->ny[i] = normal.y, a->nz[i] = normal.z;
				a->vx[i] = a->vy[i] = a->vz[i] = 0;
				a->area[i] = a->face_area[i] = area;
			}
		}
	}
}

// Shear on the sides of the soil between grousers: Bekker 1969; Wong 2008, section 2.9: c ( 1 + 2 h/b ) and
// tan phi ( 1 + 0.64 (h/b) arccot( h/b ) ).
static void put_grousers( const ds_gear *gear, ds_elements *elements )
{
	const double ratio = gear->grouser_height / gear->width;
	elements->more_cohesion = 2 * ratio;
	elements->more_friction = ratio > 0 ? 0.64 * ratio * atan( 1 / ratio ) : 0;
}

void ds_gear_place( const ds_gear *gear, const ds_gear_state *state, const ds_pose *mount, bool sides, double *room,
	ds_elements *elements )
{
	const gear_arrays a = part_room( gear, room, elements );
	const double least = gear->kind == DS_GEAR_BELT && gear->length < gear->width ? gear->length : gear->width;
	place_pads( gear, state->travel, mount, &a );
	if ( sides )
	{
		place_sides( gear, mount, &a );
	}
	else
	{
		elements->count = (int32_t)( gear->pads * gear->lanes );
	}
	put_grousers( gear, elements );
	elements->speed = state->speed;
	for ( int32_t i = 0; i < elements->count; ++i )
	{
		a.width[i] = least;
		widen( elements, i == 0, ds_v3( a.x[i], a.y[i], a.z[i] ) );
	}
}

// ---- turning -------------------------------------------------------------------------------------------------------

// Moments of a step: I ( w1 - w0 ) = ( torque - load - drag_per_speed w1 - drag ) dt, where the bearings' drag holds the gear fast as
// long as it can, and never turns it back.
static double turned_rate( const ds_gear *gear, double rate, double torque, double dt )
{
	const double momentum = gear->inertia * rate + torque * dt, held = gear->drag_torque * dt;
	if ( fabs( momentum ) <= held )
	{
		return 0;
	}
	return ( momentum - copysign( held, momentum ) ) / ( gear->inertia + gear->drag_per_speed * dt );
}

double ds_gear_load( const ds_gear *gear, const ds_contact_forces *forces )
{
	return forces->along * gear->radius;
}

void ds_gear_turn( const ds_gear *gear, const ds_drive *drive, double load, double dt, ds_gear_state *state )
{
	const double before = state->speed / gear->radius;
	double torque, after;
	if ( drive->mode == DS_DRIVE_SPEED )
	{
		// the torque that leads to the target by the end of the step; at rest the bearings hold too
		const double target = drive->speed / gear->radius, most = fabs( drive->torque );
		torque = gear->inertia * ( target - before ) / dt + load + gear->drag_per_speed * target;
		torque = target != 0 ? torque + copysign( gear->drag_torque, target )
							 : copysign( fmax( fabs( torque ) - gear->drag_torque, 0 ), torque );
		after = target;
		if ( fabs( torque ) > most )
		{
			torque = copysign( most, torque );
			after = turned_rate( gear, before, torque - load, dt );
		}
	}
	else
	{
		torque = drive->mode == DS_DRIVE_TORQUE ? drive->torque : 0;
		after = turned_rate( gear, before, torque - load, dt );
	}
	state->torque = torque;
	state->turn = 0.5 * ( before + after ) * dt;
	state->angle += state->turn;
	state->travel = wrap( state->travel + state->turn * gear->radius, ds_gear_way( gear ) );
	state->speed = after * gear->radius;
}

// Superbee: a limiter that keeps steep edges steep (Roe 1985). a, b: differences behind and ahead; the result is phi( a/b ) b.
static double limited( double a, double b )
{
	if ( a * b <= 0 )
	{
		return 0;
	}
	const double x = fabs( a ), y = fabs( b );
	return copysign( fmax( fmin( 2 * x, y ), fmin( x, 2 * y ) ), b );
}

// Where number i of one kind lies, from that of element 0 on.
static int64_t number_at( int64_t i )
{
	const int64_t block = (int64_t)( sizeof( ds_element_block ) / sizeof( double ) );
	return i / DS_ELEMENT_LANES * block + i % DS_ELEMENT_LANES;
}

// Moves numbers along a ring of pads by a share of a pad, 0 to 1, towards the next (`sense` 1) or the one before (-1). None is made
// and none gets lost; no new extreme appears. `first`: that of the first block; `lane`: which of each pad's `lanes`.
static void move_on( double *first, int64_t lane, int64_t lanes, int64_t pads, int sense, double share )
{
	const int64_t step = sense > 0 ? 1 : pads - 1; // around the ring
	int64_t k = sense > 0 ? 0 : pads - 1;
#define PAD( k ) first[number_at( ( k ) % pads * lanes + lane )]
	const double start = PAD( k );
	double before = PAD( k + pads - step ), here = start;
	const double before2 = PAD( k + 2 * ( pads - step ) );
	// what flows from each to the next
	double flow_in = before + 0.5 * ( 1 - share ) * limited( before - before2, here - before );
	for ( int64_t n = 0; n < pads; ++n, k = ( k + step ) % pads )
	{
		const double next = n + 1 < pads ? PAD( k + step ) : start;
		const double flow_out = here + 0.5 * ( 1 - share ) * limited( here - before, next - here );
		PAD( k ) = here + share * ( flow_in - flow_out );
		flow_in = flow_out;
		before = here;
		here = next;
	}
#undef PAD
}

// Hands on what is the soil's, by `way` that the surface gained on the ground. When it is the ground that leaves later, its way to the
// side goes with it.
static void hand_on( const ds_gear *gear, double way, ds_element_block *elements )
{
	const int sense = way > 0 ? -1 : 1;
	double pads = fabs( way ) / ds_gear_way( gear ) * (double)gear->pads;
	while ( pads > 0 )
	{
		const double share = fmin( pads, 1 );
		for ( int64_t j = 0; j < gear->lanes; ++j )
		{
			move_on( elements->pressure, j, gear->lanes, gear->pads, sense, share );
			move_on( elements->gap, j, gear->lanes, gear->pads, sense, share );
			move_on( elements->stiffness, j, gear->lanes, gear->pads, sense, share );
			if ( way > 0 )
			{
				move_on( elements->side, j, gear->lanes, gear->pads, sense, share );
			}
		}
		pads -= share;
	}
}

void ds_gear_carry( const ds_gear *gear, const ds_gear_state *before, const ds_pose *mount, ds_vec3 velocity, double dt,
	const ds_gear_state *state, ds_element_block *elements )
{
	const double way = ds_gear_way( gear ), pad = way / (double)gear->pads;
	const ds_vec3 axle = ds_rotate( mount->attitude, ds_v3( 0, 1, 0 ) );
	bool touches = false;
	for ( int64_t k = 0; k < gear->pads; ++k )
	{
		const int64_t row = k * gear->lanes;
		double from = 0, to = 0;
		bool down = false;
		for ( int64_t j = 0; j < gear->lanes; ++j )
		{
			const ds_element_state e = ds_element_get( elements, row + j );
			down = down || e.pressure > 0 || e.gap > 0;
		}
		if ( down )
		{
			from = place_at( gear, wrap( before->travel + (double)k * pad, way ) ).angle;
			to = place_at( gear, wrap( state->travel + (double)k * pad, way ) ).angle;
		}
		const ds_quat turn = ds_quat_exp( ds_scale( from - to, axle ) );
		for ( int64_t j = 0; j < gear->lanes; ++j )
		{
			ds_element_state e = ds_element_get( elements, row + j );
			e.side = e.pressure > 0 ? e.side + fabs( velocity.y ) * dt : 0;
			if ( down )
			{
				const ds_vec3 shear = ds_rotate( turn, ds_v3( e.shear[0], e.shear[1], e.shear[2] ) );
				e.shear[0] = shear.x, e.shear[1] = shear.y, e.shear[2] = shear.z;
			}
			ds_element_put( elements, row + j, &e );
		}
		touches = touches || down;
	}
	if ( !touches )
	{
		return;
	}
	// after a round nothing of the order is left
	hand_on( gear, fmod( state->turn * gear->radius - velocity.x * dt, way ), elements );
	for ( int64_t i = 0; i < gear->pads * gear->lanes; ++i )
	{
		ds_element_state e = ds_element_get( elements, i );
		e.slip = fmax( e.slip, e.side );
		ds_element_put( elements, i, &e );
	}
}

// ---- readings ------------------------------------------------------------------------------------------------------

void ds_gear_reading_add( const ds_gear *gear, const ds_gear_state *state, const ds_contact_sums *sums,
	const ds_pose *mount_world, ds_vec3 velocity, double dt, ds_gear_reading *reading )
{
	const ds_quat q = mount_world->attitude;
	const ds_vec3 pressure = ds_unrotate( q, sums->normal ), shear = ds_unrotate( q, sums->shear );
	const ds_vec3 way = ds_unrotate( q, velocity );
	// sums over steps until they are finished; slip_angle keeps the way to the side
	reading->ground_speed += way.x * dt;
	reading->slip_angle += way.y * dt;
	reading->slip += state->turn * gear->radius;
	reading->sinkage = fmax( reading->sinkage, sums->sinkage );
	reading->normal_force += sums->normal_force * dt;
	reading->drawbar_pull += ( pressure.x + shear.x ) * dt;
	reading->traction += shear.x * dt;
	reading->side_force += ( pressure.y + shear.y ) * dt;
	reading->torque += state->torque * dt;
	reading->power += state->torque * state->turn;
	reading->contact_area += sums->area * dt;
}

void ds_gear_reading_finish( const ds_gear_state *state, double time, ds_gear_reading *reading )
{
	const double each = time > 0 ? 1 / time : 0;
	const double surface = reading->slip * each, side = reading->slip_angle * each;
	reading->speed = state->speed;
	reading->angle = state->angle;
	reading->ground_speed *= each;
	const double most = fmax( fabs( surface ), fabs( reading->ground_speed ) );
	reading->slip = most > 0 ? ( surface - reading->ground_speed ) / most : 0;
	reading->slip_angle = side != 0 || reading->ground_speed != 0 ? atan2( side, reading->ground_speed ) : 0;
	reading->normal_force *= each;
	reading->drawbar_pull *= each;
	reading->traction *= each;
	reading->resistance = reading->traction - reading->drawbar_pull;
	reading->side_force *= each;
	reading->torque *= each;
	reading->power *= each;
	reading->contact_area *= each;
}
