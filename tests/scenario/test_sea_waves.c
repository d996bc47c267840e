// Bodies in waves: floats that follow the surface, boxes that heave at their own period, what is under water and moves with it,
// and the directions of it all. Linear theory: hydro/waves.h.

#include "../unit/sea_kit.h"

#define RHO 1025.0
#define G   9.81

static ds_environment_def wavy( double height, double period, double direction )
{
	ds_environment_def e = ds_environment_def_default();
	e.waves.kind = DS_WAVES_REGULAR;
	e.waves.height = height;
	e.waves.period = period;
	e.waves.direction = direction;
	return e;
}

static double number( double period )
{
	double w = 2 * DS_PI / period;
	return w * w / G;
}

// Least squares of samples by a + b t + c cos wt + d sin wt: the harmonic's amplitude and phase, of c cos + d sin = r cos( wt - p ).
typedef struct harmonic
{
	double sums[4][5];
	double omega;
} harmonic;

static void add_sample( harmonic *h, double t, double value )
{
	const double row[5] = { 1, t, cos( h->omega * t ), sin( h->omega * t ), value };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 5; ++j )
		{
			h->sums[i][j] += row[i] * row[j];
		}
	}
}

static void solve( harmonic *h, double *amplitude, double *phase )
{
	double( *a )[5] = h->sums;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int r = 0; r < 4; ++r )
		{
			double f = r == i ? 0 : a[r][i] / a[i][i];
			for ( int j = 0; j < 5; ++j )
			{
				a[r][j] -= f * a[i][j];
			}
		}
	}
	double c = a[2][4] / a[2][2], s = a[3][4] / a[3][3];
	*amplitude = hypot( c, s );
	*phase = atan2( s, c );
}

static double turn_to( double a, double b )
{
	return remainder( a - b, 2 * DS_PI );
}

// ---- floats ----------------------------------------------------------------------------------------------------------

// A small flat float on long waves: up and down with the surface over it, level with its slope, and round with the water.
static void test_float_follows_the_surface( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 0.6, 0.6, 0.2 );
	for ( int i = 0; i < 3; ++i )
	{
		double period = i == 0 ? 7 : 10, direction = i == 2 ? 2.2 : 0.4, a = i == 1 ? 1 : 0.4;
		ds_environment_def e = wavy( 2 * a, period, direction );
		ds_world *world = kit_world( 200, &e );
		ds_body_def def = kit_hull( "float", mesh, 0.5 * RHO * 0.072 );
		def.hydrodynamics.drag = true;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
		def.pose.position.z = -a;
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		OK( ds_world_step( world, (int64_t)( 200 * 6 * period ) ) );
		harmonic heave = { { { 0 } }, 2 * DS_PI / period }, sea = heave, along = heave;
		double phase[3], size[3], worst = 0;
		ds_vec3 d = ds_v3( cos( direction ), sin( direction ), 0 );
		for ( int k = 0; k < (int)( 200 * 5 * period ); ++k )
		{
			OK( ds_world_step( world, 1 ) );
			ds_body_motion m = kit_motion( world, id );
			double t = sea_seconds( world ),
				   psi = number( period ) * ds_dot( d, m.pose.position ) - 2 * DS_PI / period * t;
			add_sample( &heave, t, -m.depth );
			add_sample( &sea, t, a * cos( psi ) );
			add_sample( &along, t, ds_dot( d, m.velocity_world.linear ) );
			worst = fmax( worst, fabs( -m.depth - a * cos( psi ) ) );
		}
		solve( &heave, size, phase );
		solve( &sea, size + 1, phase + 1 );
		solve( &along, size + 2, phase + 2 );
		print_message(
			"float, T %g s: heave / elevation %.4f, phase %.4f rad, at most %.4f of a off; surge %.4f of a w\n", period,
			size[0] / size[1], turn_to( phase[0], phase[1] ), worst / a, size[2] / ( a * 2 * DS_PI / period ) );
		NEAR( size[0] / size[1], 1, 0.02 );
		NEAR( turn_to( phase[0], phase[1] ), 0, 0.02 );
		NEAR( worst / a, 0, 0.03 );
		NEAR( size[2] / ( a * 2 * DS_PI / period ), 1, 0.05 );
		NEAR( turn_to( phase[2], phase[1] ), 0, 0.05 ); // forward under the crest
		ds_world_destroy( world );
	}
	ds_mesh_release( mesh );
}

// A box in tiny waves that meet it far from its own period heaves free at 2 pi sqrt( ( m + A ) / ( rho g S ) ).
static void test_box_heaves_at_its_period( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 1, 1, 0.6 );
	ds_environment_def e = wavy( 1e-5, 20, 0 );
	ds_world *world = kit_world( 400, &e );
	ds_body_def def = kit_hull( "box", mesh, 0.3 * RHO );
	const double added[6] = { 50, 50, 180, 5, 5, 5 };
	memcpy( def.hydrodynamics.added_mass, added, sizeof( added ) );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
	def.pose.position.z = 0.02;
	def.cg[2] = 0.1;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double last = 0.02, first = -1, up = -1, late = 0;
	int count = 0;
	for ( int i = 0; i < 400 * 40; ++i )
	{
		OK( ds_world_step( world, 1 ) );
		double z = kit_motion( world, id ).depth, t = sea_seconds( world );
		if ( last < 0 && z >= 0 )
		{
			up = t - 0.0025 * z / ( z - last );
			first = first < 0 ? up : first;
			++count;
		}
		late = i > 400 * 35 ? fmax( late, fabs( z ) ) : 0;
		last = z;
	}
	double period = 2 * DS_PI * sqrt( ( 0.3 * RHO + 180 ) / ( RHO * G ) );
	print_message( "box: heave period %.5f s, analytic %.5f s, amplitude after 40 s %.5f of the first\n",
		( up - first ) / ( count - 1 ), period, late / 0.02 );
	NEAR( ( up - first ) / ( count - 1 ), period, 1e-3 * period );
	NEAR( late, 0.02, 0.0003 );
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

// The same box in waves along its sides: ( rho g S e^{-kd} cos( kb ) - A w^2 e^{-kc} ) / ( rho g S - ( m + A ) w^2 ) of their
// amplitude; d the draught, b half the breadth (of the two faces of the bottom, whose corners see the waves), c the depth of the point that the added mass is about (Froude and Krylov, and
// Morison's inertia).
static void test_box_responds_to_waves( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 0.5, 0.5, 0.6 );
	double mass = 0.075 * RHO, heave = 20, stiffness = RHO * G * 0.25;
	double own = sqrt( stiffness / ( mass + heave ) );
	static const double ratios[] = { 0.3, 0.5, 0.7, 1.35 };
	for ( int i = 0; i < 4; ++i )
	{
		double w = own * ratios[i], period = 2 * DS_PI / w, k = w * w / G, a = 0.002;
		double b = k * 0.25, pressure = stiffness * exp( -k * 0.3 ) * cos( b );
		double expected = ( pressure - heave * w * w * exp( -k * 0.15 ) ) / ( stiffness - ( mass + heave ) * w * w );
		ds_environment_def e = wavy( 2 * a, period, 0 );
		ds_world *world = kit_world( 400, &e );
		ds_body_def def = kit_hull( "box", mesh, mass );
		const double added[6] = { 10, 10, heave, 1, 1, 1 };
		memcpy( def.hydrodynamics.added_mass, added, sizeof( added ) );
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
		def.cg[2] = 0.15;
		def.pose.position.z = -expected * a; // on the steady motion from the start
		def.velocity.linear.x = a * w * exp( -k * 0.15 );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		harmonic up = { { { 0 } }, w };
		for ( int n = 0; n < (int)( 400 * 6 * period ); ++n )
		{
			OK( ds_world_step( world, 1 ) );
			add_sample( &up, sea_seconds( world ), -kit_motion( world, id ).depth );
		}
		double size, phase;
		solve( &up, &size, &phase );
		print_message( "box at %.2f of its frequency, ka %.2f: heave / amplitude %.4f, analytic %.4f, phase %.3f\n",
			ratios[i], k * 0.25, size / a, expected, phase );
		NEAR( size / a, fabs( expected ), 0.02 * fabs( expected ) );
		NEAR( turn_to( phase, expected < 0 ? DS_PI : 0 ), 0, 0.1 );
		ds_world_destroy( world );
	}
	ds_mesh_release( mesh );
}

// ---- under water ------------------------------------------------------------------------------------------------------

typedef struct orbit
{
	double along, across, down; // amplitudes of velocity
	double along_phase, down_phase;
	ds_vec3 drift;
} orbit;

// A sphere of `heavy` times the water's mass, weightless, held by nothing, in a wave; it starts on its steady motion.
static orbit swim( const ds_mesh *ball, double heavy, double depth, double height, double period, double direction,
	double along, int fossen )
{
	ds_environment_def e = wavy( height, period, direction );
	ds_world *world = kit_world( 100, &e );
	double volume = ds_mesh_measure( ball ).volume, water = RHO * volume;
	ds_body_def def = kit_hull( "ball", fossen == 2 ? NULL : ball, heavy * water );
	const double added[6] = { 0.5 * water, 0.5 * water, 0.5 * water, 0, 0, 0 };
	memcpy( def.hydrodynamics.added_mass, added, sizeof( added ) );
	def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_DIAGONAL;
	if ( fossen )
	{
		def.hydrodynamics.model = DS_HYDRO_FOSSEN;
	}
	if ( fossen == 2 )
	{
		def.hydrodynamics.volume_kind = DS_VOLUME_GIVEN;
		def.hydrodynamics.volume = volume;
		def.hydrodynamics.has_cb = true;
		def.inertia_kind = DS_INERTIA_DIAGONAL;
		def.inertia_diagonal[0] = def.inertia_diagonal[1] = def.inertia_diagonal[2] = 1;
	}
	ds_vec3 d = ds_v3( cos( direction ), sin( direction ), 0 ), s = ds_v3( -d.y, d.x, 0 );
	def.pose.position = ds_mad( ds_v3( 0, 0, depth ), along, d );
	double share = 1.5 / ( heavy + 0.5 );
	def.velocity.linear = ds_scale( share, sea_at( world, def.pose.position.x, def.pose.position.y, depth ).velocity );
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	harmonic h[3] = { { { { 0 } }, 2 * DS_PI / period } };
	h[1] = h[2] = h[0];
	ds_wrench hold = { { 0, 0, ( 1 - heavy ) * water * G }, { 0, 0, 0 } };
	for ( int k = 0; k < (int)( 100 * 4 * period ); ++k )
	{
		OK( ds_body_apply_wrench_world( world, id, hold, kit_motion( world, id ).pose.position ) );
		OK( ds_world_step( world, 1 ) );
		ds_body_motion m = kit_motion( world, id );
		add_sample( h, sea_seconds( world ), ds_dot( d, m.velocity_world.linear ) );
		add_sample( h + 1, sea_seconds( world ), m.velocity_world.linear.z );
		add_sample( h + 2, sea_seconds( world ), ds_dot( s, m.velocity_world.linear ) );
	}
	orbit o;
	double unused;
	solve( h, &o.along, &o.along_phase );
	solve( h + 1, &o.down, &o.down_phase );
	solve( h + 2, &o.across, &unused );
	o.drift = ds_sub( kit_motion( world, id ).pose.position, def.pose.position );
	ds_world_destroy( world );
	return o;
}

// Amplitude of the velocity of what starts at a depth under a crest, on top of its orbit.
static double carried( double a, double k, double w, double depth, double share )
{
	double middle = depth + share * a * exp( -k * depth );
	return share * a * w * exp( -k * middle );
}

// A neutral sphere goes round with the water, less with depth as e^{-kz}; a heavy one as Morison says: ( rho V + m_a ) / ( m + m_a ).
static void test_sphere_goes_round_with_the_water( void **state )
{
	(void)state;
	ds_mesh *ball = kit_sphere( 0.25, 320 );
	double period = 6, k = number( period ), w = 2 * DS_PI / period, a = 0.05;
	static const double depths[] = { 3, 8, 13, 20 };
	for ( int i = 0; i < 4; ++i )
	{
		orbit o = swim( ball, 1, depths[i], 2 * a, period, 0.5, 0, 0 );
		double expected = carried( a, k, w, depths[i], 1 );
		print_message( "neutral sphere at %g m: orbit %.4f x %.4f of the water's, phase down - along %.4f\n", depths[i],
			o.along / expected, o.down / expected, turn_to( o.down_phase, o.along_phase ) );
		NEAR( o.along / expected, 1, 0.001 );
		NEAR( o.down / expected, 1, 0.001 );
		NEAR( o.across / expected, 0, 1e-3 );
		NEAR( turn_to( o.along_phase, 0 ), 0, 0.02 ); // forward under the crest at t = 0
		NEAR( turn_to( o.down_phase, o.along_phase ), 0.5 * DS_PI, 0.02 ); // then down
	}
	for ( int fossen = 0; fossen < 3; ++fossen )
	{
		for ( int i = 0; i < 3; ++i )
		{
			double heavy = i == 0 ? 1 : i == 1 ? 1.5 : 0.6;
			orbit o = swim( ball, heavy, 8, 2 * a, period, 0.5, 0, fossen );
			double expected = carried( a, k, w, 8, 1.5 / ( heavy + 0.5 ) );
			print_message( "sphere of %g rho V, %s: orbit %.4f x %.4f of Morison's\n", heavy,
				fossen == 0   ? "faces"
				: fossen == 1 ? "fossen with a mesh"
							  : "fossen with a volume",
				o.along / expected, o.down / expected );
			NEAR( o.along / expected, 1, 0.001 );
			NEAR( o.down / expected, 1, 0.001 );
		}
	}
	ds_mesh_release( ball );
}

// A long neutral body along the waves goes round with the mean of the water over it: of an ellipsoid 3 j1( x ) / x, x = k a; by
// pressure on its faces and by its added mass alike.
static void test_long_body_feels_the_mean( void **state )
{
	(void)state;
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_ELLIPSOID );
	shape.semi_axes = ds_v3( 3, 0.3, 0.3 );
	shape.faces = 1280;
	ds_mesh *mesh;
	OK( ds_mesh_make( &shape, NULL, &mesh ) );
	double period = 3, k = number( period ), w = 2 * DS_PI / period, x = 3 * k;
	double mean = 3 * ( sin( x ) / ( x * x ) - cos( x ) / x ) / x;
	orbit o = swim( mesh, 1, 5, 0.1, period, 0, 0, 0 );
	double point = carried( 0.05, k, w, 5, 1 );
	print_message( "ellipsoid 6 m long in waves of %.1f m: %.4f x %.4f of the water's orbit, mean over it %.4f\n",
		2 * DS_PI / k, o.along / point, o.down / point, mean );
	NEAR( o.along / point, mean, 0.015 );
	NEAR( o.down / point, mean, 0.015 );
	ds_mesh_release( mesh );
}

// A barge of twelve faces in a sea shorter than they are: it stays within the waves.
static void test_barge_in_a_short_sea( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 20, 8, 2 );
	ds_environment_def e = ds_environment_def_default();
	e.waves.kind = DS_WAVES_JONSWAP;
	e.waves.height = 1.5;
	e.waves.period = 6;
	e.waves.components = 64;
	ds_world *world = kit_world( 50, &e );
	ds_body_def def = ds_body_def_default();
	snprintf( def.name, sizeof( def.name ), "barge" );
	def.mesh = mesh;
	def.mass = 160e3;
	def.collision = DS_COLLISION_NONE;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	double sum = 0, squares = 0;
	for ( int n = 0; n < 50 * 60; ++n )
	{
		OK( ds_world_step( world, 1 ) );
		double z = kit_motion( world, id ).depth;
		sum += z / 3000;
		squares += z * z / 3000;
	}
	double deviation = sqrt( squares - sum * sum ) / ( 1.5 / 4 );
	print_message( "barge: heave %.3f of the sea's standard deviation\n", deviation );
	assert_true( deviation > 0.3 && deviation < 1.3 );
	ds_world_destroy( world );
	ds_mesh_release( mesh );
}

// What is deeper than the waves feels nothing of them.
static void test_deep_is_calm( void **state )
{
	(void)state;
	ds_mesh *ball = kit_sphere( 0.25, 80 );
	double length = 2 * DS_PI / number( 6 );
	orbit o = swim( ball, 1, 2 * length, 2, 6, 0, 0, 0 );
	NEAR( o.along, 2 * DS_PI / 6 * exp( -4 * DS_PI ), 1e-7 );
	NEAR( ds_length( o.drift ), 0, 1e-3 );
	ds_mesh_release( ball );
}

// Waves go where they are said to: a quarter of a length on, a quarter of a period later.
static void test_direction( void **state )
{
	(void)state;
	ds_mesh *ball = kit_sphere( 0.25, 80 );
	double period = 6, length = 2 * DS_PI / number( period );
	static const double directions[] = { 0, 0.5 * DS_PI, DS_PI, 4 };
	for ( int i = 0; i < 4; ++i )
	{
		orbit o = swim( ball, 1, 6, 0.5, period, directions[i], 0.25 * length, 0 );
		NEAR( turn_to( o.along_phase, 0.5 * DS_PI ), 0, 0.03 );
		NEAR( o.across, 0, 1e-3 * o.along );
	}
	ds_mesh_release( ball );
}

// ---- energy ------------------------------------------------------------------------------------------------------------

// Energy of a body in still water: kinetic, of its weight, and of the water that it displaces; at the middle of the last tick.
static double energy_of(
	const ds_world *world, ds_id id, const ds_body_motion *before, double kinetic_before, double mass )
{
	double kinetic;
	OK( ds_body_kinetic_energy( world, id, &kinetic ) );
	ds_body_forces f;
	OK( ds_body_forces_get( world, id, &f ) );
	double dt = 1 / ds_world_rate( world );
	ds_pose half = before->pose;
	half.position = ds_mad( half.position, 0.5 * dt, before->velocity_world.linear );
	half.attitude = ds_quat_normalize(
		ds_quat_mul( half.attitude, ds_quat_exp( ds_scale( 0.5 * dt, before->velocity_body.angular ) ) ) );
	double cb = ds_pose_point( half, f.centre_of_buoyancy ).z;
	return 0.5 * ( kinetic + kinetic_before ) - mass * G * half.position.z + RHO * G * f.displaced_volume * cb;
}

static void test_energy_never_grows_in_still_water( void **state )
{
	(void)state;
	ds_mesh *mesh = kit_box( 1, 0.7, 0.5 );
	for ( int i = 0; i < 4; ++i )
	{
		bool drag = i % 2, waves = i >= 2;
		ds_environment_def e = wavy( 1e-9, 10, 0 );
		if ( !waves )
		{
			e.waves.kind = DS_WAVES_NONE;
		}
		ds_world *world = kit_world( 400, &e );
		ds_body_def def = kit_hull( "box", mesh, 0.45 * 0.35 * RHO );
		def.hydrodynamics.drag = drag;
		def.hydrodynamics.added_mass_kind = DS_ADDED_MASS_ELLIPSOID;
		def.pose.position.z = -0.3;
		def.pose.attitude = ds_quat_from_rpy( ds_v3( 0.5, 0.4, 0.2 ) );
		def.velocity.angular = ds_v3( 0.5, -0.4, 0.3 );
		ds_id id;
		OK( ds_body_create( world, &def, &id ) );
		double first = 0, highest = 0, last = 0, growth = 0, lowest = 1e300;
		for ( int n = 0; n < 400 * 20; ++n )
		{
			ds_body_motion before = kit_motion( world, id );
			double kinetic;
			OK( ds_body_kinetic_energy( world, id, &kinetic ) );
			OK( ds_world_step( world, 1 ) );
			last = energy_of( world, id, &before, kinetic, def.mass );
			first = n ? first : last;
			highest = n ? fmax( highest, last ) : last;
			growth = fmax( growth, last - lowest );
			lowest = fmin( lowest, last );
		}
		// at rest: the weight's and the water's energies at the draught of equilibrium
		double draught = def.mass / ( RHO * 0.7 ),
			   rest = -def.mass * G * ( draught - 0.25 ) + 0.5 * RHO * G * 0.7 * draught * draught;
		print_message(
			"energy%s%s: %.2f J at first over rest, %.4f of it at the end, highest %.5f, largest rise %.5f\n",
			drag ? ", drag" : "", waves ? ", waves of 1 nm" : "", first - rest, ( last - rest ) / ( first - rest ),
			( highest - rest ) / ( first - rest ), growth / ( first - rest ) );
		assert_true( highest - first <= 0.002 * ( first - rest ) );
		if ( drag )
		{
			assert_true(
				growth <= 0.002 * ( first - rest ) && last - rest < 0.1 * ( first - rest ) && last >= rest - 1e-3 );
		}
		ds_world_destroy( world );
	}
	ds_mesh_release( mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_float_follows_the_surface ),
		cmocka_unit_test( test_box_heaves_at_its_period ),
		cmocka_unit_test( test_box_responds_to_waves ),
		cmocka_unit_test( test_sphere_goes_round_with_the_water ),
		cmocka_unit_test( test_long_body_feels_the_mean ),
		cmocka_unit_test( test_barge_in_a_short_sea ),
		cmocka_unit_test( test_deep_is_calm ),
		cmocka_unit_test( test_direction ),
		cmocka_unit_test( test_energy_never_grows_in_still_water ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
