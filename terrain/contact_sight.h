// What of a mesh is below the ground, and how wide its outline is: a part of contact_loop.h, which says what the including source defines.
// Bits are of 8 vertices or elements a byte.

// Depths of vertices below a plane, the greatest that the step may bring, and which are below. Whether any bit changed.
static bool sight_vertices( const ds_contact_sight *s, int32_t count, const double *x, const double *y, const double *z,
	double *depth, uint8_t *bits )
{
	const vec zero = SPLAT( 0 ), below = SPLAT( s->below ), sinks = SPLAT( s->sinks );
	const vec3 down = splat3( s->down ), lever = splat3( s->lever );
	unsigned changed = 0;
	for ( int32_t i = 0; i < count; i += 8 )
	{
		unsigned byte = 0;
		for ( int k = 0; k < 8; k += WIDTH )
		{
			const vec3 r = loadu3( x, y, z, i + k );
			vec d = dot( down, r ) + below + most( dot( lever, r ) + sinks, zero );
			STOREU( depth + i + k, d );
			byte |= BITMASK( GREATER( d, zero ) ) << k;
		}
		changed |= bits[i / 8] ^ byte;
		bits[i / 8] = (uint8_t)byte;
	}
	return changed != 0;
}

// Which elements face a plane. Whether any bit changed.
static bool sight_faces(
	const ds_contact_sight *s, int32_t count, const double *nx, const double *ny, const double *nz, uint8_t *bits )
{
	const vec3 down = splat3( s->down );
	unsigned changed = 0;
	for ( int32_t i = 0; i < count; i += 8 )
	{
		unsigned byte = 0;
		for ( int k = 0; k < 8; k += WIDTH )
		{
			vec c = dot( loadu3( nx, ny, nz, i + k ), down );
			byte |= BITMASK( GREATER( c, SPLAT( DS_CONTACT_LEAST_COSINE ) ) ) << k;
		}
		changed |= bits[i / 8] ^ byte;
		bits[i / 8] = (uint8_t)byte;
	}
	return changed != 0;
}

// The points farthest in each direction.
static void sight_outline( int32_t count, const double *x, const double *y, ds_contact_outline *o )
{
	for ( int k = 0; k < DS_OUTLINE_DIRECTIONS; k += WIDTH )
	{
		const vec cx = LOADU( ds_contact_compass[0] + k ), cy = LOADU( ds_contact_compass[1] + k );
		vec far = LOADU( o->far + k ), far_x = LOADU( o->x + k ), far_y = LOADU( o->y + k );
		for ( int32_t i = 0; i < count; ++i )
		{
			const vec px = SPLAT( x[i] ), py = SPLAT( y[i] );
			vec reach = px * cx + py * cy;
			mask farther = GREATER( reach, far );
			far = SELECT( farther, reach, far );
			far_x = SELECT( farther, px, far_x );
			far_y = SELECT( farther, py, far_y );
		}
		STOREU( o->far + k, far );
		STOREU( o->x + k, far_x );
		STOREU( o->y + k, far_y );
	}
}
