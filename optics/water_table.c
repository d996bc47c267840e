// Options of water and of phase functions, as scenarios give them.

#include "optics/water_table.h"
#include "optics/phase.h"
#include "optics/pure_water.h"

#include "base/base.h"

#include <math.h>

#define F64_OF( key_, flags_, member_, unit_, initial_, minimum_, maximum_, doc_ )                                     \
	{                                                                                                                  \
		key_, DS_FIELD_F64, flags_, offsetof( STRUCT, member_ ), 1, 0, unit_, initial_, minimum_, maximum_, doc_,      \
			NULL, NULL, 0, DS_ELEMENT_NONE                                                                             \
	}

// ---- phase functions ---------------------------------------------------------------------------------------------

#define STRUCT ds_phase_config
static const ds_field henyey_greenstein_fields[] = {
	F64_OF( "g", 0, g, "", "0.924", -0.99, 0.99, "mean cosine of the angle of scattering" ),
};
static const ds_field fournier_forand_fields[] = {
	F64_OF( "n", 0, n, "", "1.1", 1.01, 1.35, "refractive index of the particles over the water's" ),
	F64_OF( "mu", 0, mu, "", "3.5835", 3.01, 4.99, "slope of Junge's distribution of sizes" ),
};
#undef STRUCT
static const ds_table henyey_greenstein_table =
	DS_TABLE( "henyey_greenstein", "", ds_phase_config, henyey_greenstein_fields );
static const ds_table fournier_forand_table =
	DS_TABLE( "fournier_forand", "", ds_phase_config, fournier_forand_fields );

#define PETZOLD   "Petzold's average particle, measured in turbid water"
#define FORAND    "Fournier and Forand: particles of one index, many sizes"
#define HENYEY    "Henyey and Greenstein: one parameter, weak backwards"
#define ISOTROPIC "the same in all directions"
static const ds_choice phases[] = {
	{ DS_PHASE_PETZOLD, DS_FORM_NAME, "petzold", NULL, NULL, PETZOLD },
	{ DS_PHASE_FOURNIER_FORAND, DS_FORM_NAME, "fournier_forand", NULL, &fournier_forand_table, FORAND },
	{ DS_PHASE_HENYEY_GREENSTEIN, DS_FORM_NAME, "henyey_greenstein", NULL, &henyey_greenstein_table, HENYEY },
	{ DS_PHASE_ISOTROPIC, DS_FORM_NAME, "isotropic", NULL, NULL, ISOTROPIC },
	{ DS_PHASE_PETZOLD, DS_FORM_OBJECT, "petzold", "model", NULL, PETZOLD },
	{ DS_PHASE_FOURNIER_FORAND, DS_FORM_OBJECT, "fournier_forand", "model", &fournier_forand_table, FORAND },
	{ DS_PHASE_HENYEY_GREENSTEIN, DS_FORM_OBJECT, "henyey_greenstein", "model", &henyey_greenstein_table, HENYEY },
	{ DS_PHASE_ISOTROPIC, DS_FORM_OBJECT, "isotropic", "model", NULL, ISOTROPIC },
};
static const ds_field phase_fields[] = { { "", DS_FIELD_VARIANT, 0, offsetof( ds_phase_config, kind ), 1, 0, "",
	"\"petzold\"", 0, 0, "phase function", NULL, phases, DS_COUNT( phases ), DS_ELEMENT_NONE } };
const ds_table ds_phase_table_of_config =
	DS_TABLE( "phase", "how particles scatter light over angles", ds_phase_config, phase_fields );

// ---- what all waters share ---------------------------------------------------------------------------------------

static const ds_field turbidity_fields[] = {
	DS_F64( ds_turbidity_level, depth, "m", "0", 0, 20000, "deeper than the level before" ),
	DS_F64( ds_turbidity_level, factor, "", "1", 0, 10000, "of all that is not pure water" ),
};
static const ds_table turbidity_table = DS_TABLE( "turbidity", "", ds_turbidity_level, turbidity_fields );

static ds_status check_profile( const ds_array *profile )
{
	const ds_turbidity_level *levels = profile->data;
	for ( int64_t i = 1; i < profile->count; ++i )
	{
		if ( !( levels[i].depth > levels[i - 1].depth ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"profile[%lld].depth: expected more than the %g m of the level before, got %g", (long long)i,
				levels[i - 1].depth, levels[i].depth );
		}
	}
	return DS_OK;
}

static ds_status check_particles( const void *value )
{
	return check_profile( &( (const ds_water_optics_def *)value )->profile );
}

#define COMMON                                                                                                         \
	DS_F64( ds_water_optics_def, turbidity, "", "1", 0, 10000, "factor of all that is not pure water" ),               \
		{ "phase", DS_FIELD_STRUCT, 0, offsetof( ds_water_optics_def, phase ), 1, sizeof( ds_phase_config ), "",       \
			"\"petzold\"", 0, 0, "how particles scatter", &ds_phase_table_of_config, NULL, 0, DS_ELEMENT_NONE },       \
	{                                                                                                                  \
		"profile", DS_FIELD_ARRAY, 0, offsetof( ds_water_optics_def, profile ), 1, sizeof( ds_turbidity_level ), "",   \
			"[]", 0, 0, "more factors, over depth: linear between levels, constant beyond", &turbidity_table, NULL, 0, \
			DS_ELEMENT_NONE                                                                                            \
	}

// ---- the kinds ---------------------------------------------------------------------------------------------------

static const ds_choice types[] = {
	{ DS_JERLOV_I, DS_FORM_NAME, "I", NULL, NULL, "the clearest ocean" },
	{ DS_JERLOV_IA, DS_FORM_NAME, "IA", NULL, NULL, "clear ocean" },
	{ DS_JERLOV_IB, DS_FORM_NAME, "IB", NULL, NULL, "ocean" },
	{ DS_JERLOV_II, DS_FORM_NAME, "II", NULL, NULL, "ocean, with plankton" },
	{ DS_JERLOV_III, DS_FORM_NAME, "III", NULL, NULL, "turbid ocean" },
	{ DS_JERLOV_1C, DS_FORM_NAME, "1C", NULL, NULL, "the clearest coast" },
	{ DS_JERLOV_3C, DS_FORM_NAME, "3C", NULL, NULL, "clear coast" },
	{ DS_JERLOV_5C, DS_FORM_NAME, "5C", NULL, NULL, "coast" },
	{ DS_JERLOV_7C, DS_FORM_NAME, "7C", NULL, NULL, "turbid coast" },
	{ DS_JERLOV_9C, DS_FORM_NAME, "9C", NULL, NULL, "the most turbid coast" },
};
static const ds_field jerlov_fields[] = {
	{ "type", DS_FIELD_ENUM, 0, offsetof( ds_water_optics_def, jerlov ), 1, 0, "", "\"IB\"", 0, 0,
		"Jerlov's type of water (1976)", NULL, types, DS_COUNT( types ), DS_ELEMENT_NONE },
	COMMON,
};
static const ds_table jerlov_table = { "jerlov", "", sizeof( ds_water_optics_def ), jerlov_fields,
	DS_COUNT( jerlov_fields ), check_particles, NULL, 0 };

static const ds_field iop_fields[] = {
	{ "wavelength", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( ds_iop_level, wavelength ), 1, 0, "nm", NULL, 300, 800,
		"longer than that of the level before", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "absorption", DS_FIELD_F64, DS_FIELD_REQUIRED | DS_FIELD_EXCLUSIVE_MINIMUM, offsetof( ds_iop_level, absorption ),
		1, 0, "1/m", NULL, 0, 1000, "of all of the water", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "scattering", DS_FIELD_F64, DS_FIELD_REQUIRED, offsetof( ds_iop_level, scattering ), 1, 0, "1/m", NULL, 0, 1000,
		"of all of the water", NULL, NULL, 0, DS_ELEMENT_NONE },
};
static const ds_table iop_table = DS_TABLE( "iop", "", ds_iop_level, iop_fields );

static const ds_field measured_fields[] = {
	{ "levels", DS_FIELD_ARRAY, DS_FIELD_REQUIRED, offsetof( ds_water_optics_def, measured ), 1, sizeof( ds_iop_level ),
		"", NULL, 0, 0, "by wavelength: linear between levels, constant beyond", &iop_table, NULL, 0, DS_ELEMENT_NONE },
	COMMON,
};

static ds_status check_measured( const void *value )
{
	const ds_water_optics_def *def = value;
	const ds_iop_level *levels = def->measured.data;
	if ( def->measured.count < 1 )
	{
		return ds_error( DS_ERROR_RANGE, "levels: expected at least one" );
	}
	for ( int64_t i = 1; i < def->measured.count; ++i )
	{
		if ( !( levels[i].wavelength > levels[i - 1].wavelength ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"levels[%lld].wavelength: expected more than the %g nm of the level before, got %g", (long long)i,
				levels[i - 1].wavelength, levels[i].wavelength );
		}
	}
	return check_profile( &def->profile );
}

static const ds_table measured_table = { "measured", "", sizeof( ds_water_optics_def ), measured_fields,
	DS_COUNT( measured_fields ), check_measured, NULL, 0 };

// Pure water has no particles: nothing to choose.
#define PURE "pure sea water: Pope and Fry 1997, Morel 1974"
static const ds_choice kinds[] = {
	{ DS_WATER_OPTICS_PURE, DS_FORM_NAME, "pure", NULL, NULL, PURE },
	{ DS_WATER_OPTICS_PURE, DS_FORM_OBJECT, "pure", "model", NULL, PURE },
	{ DS_WATER_OPTICS_JERLOV, DS_FORM_OBJECT, "jerlov", "model", &jerlov_table, "a type of Jerlov's" },
	{ DS_WATER_OPTICS_MEASURED, DS_FORM_OBJECT, "measured", "model", &measured_table,
		"measured absorption and scattering" },
};
static const ds_field water_fields[] = { { "", DS_FIELD_VARIANT, 0, offsetof( ds_water_optics_def, kind ), 1, 0, "",
	"{\"model\": \"jerlov\"}", 0, 0, "kind of water", NULL, kinds, DS_COUNT( kinds ), DS_ELEMENT_NONE } };
const ds_table ds_water_optics_options =
	DS_TABLE( "water_optics", "what the water does to light", ds_water_optics_def, water_fields );

const ds_table *ds_water_optics_table( void )
{
	return &ds_water_optics_options;
}

ds_water_optics_def ds_water_optics_def_default( void )
{
	ds_water_optics_def def;
	ds_table_defaults( &ds_water_optics_options, &def );
	return def;
}
