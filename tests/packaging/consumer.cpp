// A program outside the project, in C++17: a world saved half way and restored gives the same bits.

#include <cstdio>
#include <deepsim/deepsim.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

void check( ds_status status )
{
	if ( status != DS_OK )
	{
		throw std::runtime_error( std::string( ds_status_name( status ) ) + ": " + ds_last_error() );
	}
}

double depth_of( ds_world *world, ds_id body )
{
	ds_body_motion motion;
	check( ds_body_motion_get( world, body, &motion ) );
	return motion.depth;
}

int run()
{
	ds_world_def def = ds_world_def_default();
	ds_world *world = nullptr;
	check( ds_world_create( &def, &world ) );

	ds_body_def body = ds_body_def_default();
	std::snprintf( body.name, sizeof( body.name ), "stone" );
	body.mass = 2.0;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = body.inertia_diagonal[1] = body.inertia_diagonal[2] = 0.1;
	body.hydrodynamics.model = DS_HYDRO_NONE;
	ds_id stone;
	check( ds_body_create( world, &body, &stone ) );

	check( ds_world_step( world, 100 ) );
	std::vector<unsigned char> bytes( ds_world_save_size( world ) );
	check( ds_world_save( world, bytes.data(), bytes.size() ) );
	check( ds_world_step( world, 100 ) );
	const double first = depth_of( world, stone );
	check( ds_world_restore( world, bytes.data(), bytes.size() ) );
	check( ds_world_step( world, 100 ) );
	const double second = depth_of( world, stone );
	ds_world_destroy( world );

	std::printf( "deepsim %s: %.17g m, restored %.17g m\n", ds_version(), first, second );
	return first > 0.0 && first <= second && second <= first ? 0 : 1;
}

} // namespace

int main()
{
	try
	{
		return run();
	}
	catch ( const std::exception &error )
	{
		std::fprintf( stderr, "%s\n", error.what() );
		return 1;
	}
}
