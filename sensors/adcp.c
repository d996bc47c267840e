#include "deepsim/adcp.h"

#include "sensors/beams.h"
#include "sensors/process.h"
#include "sensors/tables.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

// An echo through a side lobe comes back with that of a cell as far along the beam as the boundary is near. Cells are spoilt from one and
// a half of their lengths before it (S. J. Lentz, A. R. Kirincich, A. J. Plueddemann, A note on the depth of sidelobe contamination in
// acoustic Doppler current profiles, J. Atmos. Oceanic Technol. 39, 2022).
#define SIDE_LOBE_CELLS 1.5

// ---- tables --------------------------------------------------------------------------------------------------------

static const ds_choice axes_choices[] = {
	{ DS_ADCP_INSTRUMENT, DS_FORM_NAME, "instrument", NULL, NULL, "mount axes; cells along the array's axis" },
	{ DS_ADCP_EARTH, DS_FORM_NAME, "earth", NULL, NULL, "north, east, down; cells at vertical distances" },
};

static const ds_field config_fields[] = {
	DS_STRUCT( ds_adcp_config, beams, &ds_beams_table,
		"where the beams look: { \"angle_deg\", \"azimuth_deg\" }, or x, y, z of each of the four" ),
	DS_ENUM( ds_adcp_config, array, ds_array_choices, "\"piston\"", "kind of transducer" ),
	DS_F64( ds_adcp_config, array_sound_speed, "m/s", "1500", 1300, 1700,
		"phased array: speed of sound at which the beams look as given" ),
	DS_I64( ds_adcp_config, cells, "", "20", 1, DS_ADCP_MAX_CELLS, "number of cells" ),
	DS_F64( ds_adcp_config, cell_size, "m", "1", 0.01, 1000, "length of a cell" ),
	DS_F64( ds_adcp_config, blanking, "m", "0.5", 0, 1000, "the first cell's middle is at blanking + cell_size" ),
	DS_F64( ds_adcp_config, maximum_range, "m", "100", 0.01, 1e4, "of a cell's middle, along the array's axis" ),
	DS_ENUM( ds_adcp_config, axes, axes_choices, "\"instrument\"", "of velocities and cells" ),
	DS_F64(
		ds_adcp_config, noise, "m/s", "0", 0, 100, "standard deviation of a beam's velocity in a cell, of one ping" ),
	DS_I64( ds_adcp_config, pings, "", "1", 1, 1000000, "averaged in a sample" ),
	DS_F64( ds_adcp_config, resolution, "m/s", "0", 0, 10, "of a beam's velocity; 0: exact" ),
	DS_F64( ds_adcp_config, dropout, "", "0", 0, 1, "probability that a beam hears nothing in a cell" ),
	DS_BOOL(
		ds_adcp_config, side_lobe, "true", "whether cells that a boundary's echo reaches by a side lobe are invalid" ),
	DS_F64( ds_adcp_config, sound_speed, "m/s", "0", 0, 2000,
		"that the instrument takes for granted; 0: the water's own at the transducer" ),
};

static ds_status check_config( const void *value )
{
	const ds_adcp_config *c = value;
	if ( !( c->blanking + c->cell_size <= c->maximum_range ) )
	{
		return ds_error( DS_ERROR_RANGE, "maximum_range must be blanking + cell_size or more (%g m), got %g m",
			c->blanking + c->cell_size, c->maximum_range );
	}
	ds_beam_set set;
	return ds_beams_prepare( &c->beams, &set );
}

const ds_table ds_adcp_options = { "adcp_config", "Options of the sensor adcp", sizeof( ds_adcp_config ), config_fields,
	DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_BOOL( ds_adcp, wet, NULL, "the transducer is in the water" ),
	DS_I64( ds_adcp, n_valid, "", NULL, 0, 0, "cells with a velocity" ),
	DS_F64(
		ds_adcp, boundary, "m", NULL, 0, 0, "distance to the nearest boundary that the beams look at; 0: none met" ),
	DS_F64( ds_adcp, usable, "m", NULL, 0, 0, "distance of the last cell that no side lobe spoils; 0: no boundary" ),
	DS_F64( ds_adcp, sound_speed, "m/s", NULL, 0, 0, "that the instrument reckoned with" ),
	DS_SPAN( ds_adcp, distance, DS_ELEMENT_F64, "m", "of each cell's middle" ),
	DS_SPAN( ds_adcp, valid, DS_ELEMENT_U8, "", "1: three beams or more heard the cell" ),
	DS_SPAN( ds_adcp, good, DS_ELEMENT_U8, "", "beams that heard the cell" ),
	DS_SPAN( ds_adcp, velocity, DS_ELEMENT_F64, "m/s", "3 a cell: of the water relative to the transducer" ),
	DS_SPAN( ds_adcp, variance, DS_ELEMENT_F64, "(m/s)2", "3 a cell: of velocity" ),
	DS_SPAN( ds_adcp, error_velocity, DS_ELEMENT_F64, "m/s", "what four beams disagree by" ),
	DS_SPAN(
		ds_adcp, beam_velocity, DS_ELEMENT_F64, "m/s", "4 a cell: along each beam, positive away from the transducer" ),
};

const ds_table ds_adcp_readings =
	DS_TABLE( "adcp", "Profile of the water's velocity relative to the transducer", ds_adcp, reading_fields );

DS_SENSOR_TABLES( adcp )

// ---- fixed ---------------------------------------------------------------------------------------------------------

ds_status ds_adcp_prepare( const ds_adcp_config *config, ds_adcp_model *model )
{
	if ( config == NULL || model == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_adcp_prepare needs a config and room for the model" );
	}
	DS_TRY( ds_table_check_value( &ds_adcp_options, config ) );
	ds_beam_set set;
	DS_TRY( ds_beams_prepare( &config->beams, &set ) );
	memset( model, 0, sizeof( *model ) );
	model->config = *config;
	memcpy( model->direction, set.direction, sizeof( set.direction ) );
	memcpy( model->cosine, set.cosine, sizeof( set.cosine ) );
	model->axis = set.axis;
	return DS_OK;
}

void ds_adcp_beams( const ds_adcp_model *model, double sound_speed, ds_vec3 beams[DS_BEAMS] )
{
	const ds_adcp_config *c = &model->config;
	double speed = sound_speed > 0 ? sound_speed : ds_beams_speed( c->sound_speed, 0 );
	ds_beams_look( c->array, model->direction, model->axis, speed / c->array_sound_speed, beams );
}

static double cell_distance( const ds_adcp_config *c, int64_t cell )
{
	return c->blanking + c->cell_size * (double)( cell + 1 );
}

bool ds_adcp_cell( const ds_adcp_model *model, ds_quat attitude, double sound_speed, int beam, int64_t cell,
	double *middle, double *half )
{
	const ds_adcp_config *c = &model->config;
	double assumed = ds_beams_speed( c->sound_speed, sound_speed ), speed = sound_speed > 0 ? sound_speed : assumed;
	ds_vec3 taken[DS_BEAMS];
	ds_adcp_beams( model, assumed, taken );
	double slope = ds_dot( taken[beam], model->axis );
	if ( c->axes == DS_ADCP_EARTH )
	{
		// to the side of the horizon to which the array looks
		slope = ds_rotate( attitude, taken[beam] ).z * ( ds_rotate( attitude, model->axis ).z < 0 ? -1 : 1 );
	}
	if ( !( slope > 0.05 ) )
	{
		*middle = *half = 0;
		return false;
	}
	// cells are times of echoes: they lie farther where sound is faster than it is taken for
	*middle = cell_distance( c, cell ) / slope * speed / assumed;
	*half = c->cell_size / slope * speed / assumed;
	return true;
}

// ---- a sample ------------------------------------------------------------------------------------------------------

// The arrays of a reading, one after the other behind it: first those of doubles.
typedef struct arrays
{
	double *distance, *velocity, *variance, *error_velocity, *beam_velocity;
	uint8_t *valid, *good;
} arrays;

#define DOUBLES_A_CELL 12 // 1 + 3 + 3 + 1 + 4

size_t ds_adcp_size( const ds_adcp_model *model )
{
	size_t size = sizeof( ds_adcp ) + (size_t)model->config.cells * ( DOUBLES_A_CELL * sizeof( double ) + 2 );
	return ( size + 7 ) / 8 * 8;
}

static ds_span span( const ds_adcp *reading, const void *start, int64_t count )
{
	ds_span s = { (int64_t)( (const char *)start - (const char *)reading ), count };
	return s;
}

static arrays lay_out( int64_t cells, ds_adcp *r )
{
	arrays a;
	a.distance = (double *)( r + 1 );
	a.velocity = a.distance + cells;
	a.variance = a.velocity + 3 * cells;
	a.error_velocity = a.variance + 3 * cells;
	a.beam_velocity = a.error_velocity + cells;
	a.valid = (uint8_t *)( a.beam_velocity + DS_BEAMS * cells );
	a.good = a.valid + cells;
	r->distance = span( r, a.distance, cells );
	r->velocity = span( r, a.velocity, 3 * cells );
	r->variance = span( r, a.variance, 3 * cells );
	r->error_velocity = span( r, a.error_velocity, cells );
	r->beam_velocity = span( r, a.beam_velocity, DS_BEAMS * cells );
	r->valid = span( r, a.valid, cells );
	r->good = span( r, a.good, cells );
	return a;
}

// One sample, as far as its cells share it.
// Cells whose normal numbers are drawn in one row: it costs no more than those of one.
#define ROW 4

typedef struct profile
{
	const ds_adcp_model *model;
	const ds_adcp_truth *truth;
	const ds_random *stream;
	ds_vec3 along[DS_BEAMS]; // where the beams look
	ds_vec3 taken[DS_BEAMS]; // where the instrument takes them to look
	double factor; // scale of velocities
	double limit; // slant range of a cell's middle at the boundary's side-lobe echo [m]
	double normal[ROW * DS_BEAMS]; // of the cells that are drawn together
} profile;

// Whether a beam may hear a cell: in range, before its own boundary, and before the echo of the nearest one by a side lobe.
static bool audible( const profile *p, int64_t cell, int beam )
{
	const ds_adcp_config *c = &p->model->config;
	double middle, half;
	if ( !p->truth->present[DS_BEAMS * cell + beam] ||
		 !ds_adcp_cell( p->model, p->truth->attitude, p->truth->sound_speed, beam, cell, &middle, &half ) ||
		 middle * p->model->cosine[beam] > c->maximum_range * ( 1 + 1e-12 ) )
	{
		return false;
	}
	double boundary = p->truth->range[beam];
	bool clear = boundary < 0 || middle + half <= boundary;
	return clear && ( !c->side_lobe || middle + SIDE_LOBE_CELLS * half <= p->limit );
}

// What the beams hear in a cell; false where one hears nothing. Each cell has its own slots of the stream.
static void hear( const profile *p, int64_t cell, bool heard[DS_BEAMS], double along[DS_BEAMS] )
{
	const ds_adcp_config *c = &p->model->config;
	double uniform[DS_BEAMS] = { 0 };
	uint32_t slot = (uint32_t)( DS_BEAMS * cell );
	if ( c->dropout > 0 )
	{
		ds_random_uniforms( p->stream, slot, DS_BEAMS, uniform );
	}
	double deviation = c->noise / sqrt( (double)c->pings );
	const double *normal = p->normal + slot % ( ROW * DS_BEAMS );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		heard[i] = audible( p, cell, i ) && !( uniform[i] < c->dropout );
		ds_vec3 relative = ds_sub( p->truth->water[DS_BEAMS * cell + i], p->truth->velocity );
		double exact = p->factor * ds_dot( relative, p->along[i] ) + deviation * normal[i];
		along[i] = heard[i] ? ds_quantise( exact, c->resolution ) : 0;
	}
}

// Diagonal of R C R^T for a row-major C.
static void turn_variance( ds_quat attitude, const double covariance[9], double out[3] )
{
	ds_mat3 r = ds_mat3_from_quat( attitude );
	for ( int i = 0; i < 3; ++i )
	{
		out[i] = 0;
		for ( int k = 0; k < 9; ++k )
		{
			out[i] += r.m[i][k / 3] * r.m[i][k % 3] * covariance[k];
		}
	}
}

static void solve_cell( const profile *p, int64_t cell, const double variance[DS_BEAMS], arrays *a )
{
	const ds_adcp_config *c = &p->model->config;
	bool heard[DS_BEAMS];
	hear( p, cell, heard, a->beam_velocity + DS_BEAMS * cell );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		a->good[cell] = (uint8_t)( a->good[cell] + heard[i] );
	}
	ds_beam_solution s = ds_beams_solve( p->taken, heard, a->beam_velocity + DS_BEAMS * cell, variance );
	if ( s.valid )
	{
		ds_quat turn = c->axes == DS_ADCP_EARTH ? p->truth->attitude : ds_quat_identity();
		ds_vec3 v = ds_rotate( turn, s.velocity );
		double *out = a->velocity + 3 * cell;
		out[0] = v.x;
		out[1] = v.y;
		out[2] = v.z;
		turn_variance( turn, s.covariance, a->variance + 3 * cell );
		a->error_velocity[cell] = s.error_velocity;
		a->valid[cell] = 1;
	}
}

// The distance, as `distance` counts, of the last cell's middle that all beams hear without a side lobe's echo; 0: none.
static double last_clear( const profile *p )
{
	double last = 0;
	for ( int64_t k = 0; k < p->model->config.cells; ++k )
	{
		bool clear = true;
		for ( int i = 0; i < DS_BEAMS; ++i )
		{
			double middle, half;
			clear = clear &&
					ds_adcp_cell( p->model, p->truth->attitude, p->truth->sound_speed, i, k, &middle, &half ) &&
					middle + SIDE_LOBE_CELLS * half <= p->limit;
		}
		last = clear ? cell_distance( &p->model->config, k ) : last;
	}
	return last;
}

void ds_adcp_measure(
	const ds_adcp_model *model, const ds_adcp_truth *truth, const ds_random *stream, ds_adcp *reading )
{
	const ds_adcp_config *c = &model->config;
	memset( reading, 0, ds_adcp_size( model ) );
	arrays a = lay_out( c->cells, reading );
	double assumed = ds_beams_speed( c->sound_speed, truth->sound_speed );
	double speed = truth->sound_speed > 0 ? truth->sound_speed : assumed;
	profile p = { .model = model, .truth = truth, .stream = stream };
	ds_adcp_beams( model, speed, p.along );
	ds_adcp_beams( model, assumed, p.taken );
	p.factor = assumed / speed;
	p.limit = truth->boundary >= 0 ? truth->boundary : INFINITY;
	reading->wet = truth->wet;
	reading->sound_speed = assumed;
	for ( int64_t k = 0; k < c->cells; ++k )
	{
		a.distance[k] = cell_distance( c, k );
	}
	if ( !truth->wet )
	{
		return;
	}
	if ( truth->boundary >= 0 )
	{
		reading->boundary = truth->boundary * p.factor;
		reading->usable = last_clear( &p );
	}
	double deviation = c->noise * c->noise / (double)c->pings + c->resolution * c->resolution / 12;
	const double variance[DS_BEAMS] = { deviation, deviation, deviation, deviation };
	for ( int64_t k = 0; k < c->cells; ++k )
	{
		if ( c->noise > 0 && k % ROW == 0 )
		{
			ds_random_normals( stream, (uint32_t)( DS_BEAMS * k ), ROW * DS_BEAMS, p.normal );
		}
		solve_cell( &p, k, variance, &a );
		reading->n_valid += a.valid[k];
	}
}
