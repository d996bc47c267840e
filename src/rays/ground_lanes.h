// Before and after the walk: plain loops over the lanes, which the compiler makes vectors of. Included by ground_*.c.

// Cuts the ray to a slab and keeps a direction of 0 apart.
static inline void slab( double o, double d, double low, double high, double *t0, double *t1 )
{
	bool still = fabs( d ) < DS_RAY_LEAST;
	double i = still ? 0 : 1 / d, end = still ? DS_RAY_ENDLESS : 0;
	double a = ( low - o ) * i, b = ( high - o ) * i;
	double enter = ( a < b ? a : b ) - end, leave = ( a < b ? b : a ) + end;
	leave = o >= low && o <= high ? leave : still ? -DS_RAY_ENDLESS : leave;
	*t0 = enter > *t0 ? enter : *t0;
	*t1 = leave < *t1 ? leave : *t1;
}

static void prepare(
	const ds_ground_frame *frame, const ds_ray_packet *packet, ds_ground_rays *rays, ds_tree_packet *single )
{
	const ds_ground_frame f = *frame;
	alignas( 64 ) double enters[DS_RAY_LANES];
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		double u = ( packet->origin[0][k] - f.north ) * f.per_north, du = packet->direction[0][k] * f.per_north;
		double v = ( packet->origin[1][k] - f.east ) * f.per_east, dv = packet->direction[1][k] * f.per_east;
		double w = packet->origin[2][k] - f.base, dw = packet->direction[2][k];
		double t0 = 0, t1 = packet->far[k] * ( 1 + 1e-15 );
		slab( u, du, f.low[0], f.high[0], &t0, &t1 );
		slab( v, dv, f.low[1], f.high[1], &t0, &t1 );
		slab( w, dw, f.low[2], f.high[2], &t0, &t1 );
		double in = t0 <= t1 ? 1 : 0;
		t0 = in > 0 ? t0 : 0;
		t1 = in > 0 ? t1 : 0;
		du = fabs( du ) < DS_RAY_LEAST ? 0 : du;
		dv = fabs( dv ) < DS_RAY_LEAST ? 0 : dv;
		dw = fabs( dw ) < DS_RAY_LEAST ? 0 : dw;
		u += t0 * du;
		v += t0 * dv;
		w += t0 * dw;
		double ds = fabs( du + dv ) < DS_RAY_LEAST ? 0 : du + dv;
		enters[k] = in;
		rays->u[k] = u;
		rays->v[k] = v;
		rays->w[k] = w;
		rays->du[k] = du;
		rays->dv[k] = dv;
		rays->dw[k] = dw;
		rays->iu[k] = du != 0 ? 1 / du : 0;
		rays->iv[k] = dv != 0 ? 1 / dv : 0;
		rays->iw[k] = dw != 0 ? 1 / dw : DS_RAY_ENDLESS;
		rays->is[k] = ds != 0 ? 1 / ds : DS_RAY_ENDLESS;
		rays->eu[k] = du != 0 ? 0 : DS_RAY_ENDLESS;
		rays->ev[k] = dv != 0 ? 0 : DS_RAY_ENDLESS;
		rays->far[k] = t1 - t0;
		rays->shift[k] = t0;
		rays->triangle[k] = -1;
		rays->gu[k] = rays->gv[k] = 0;
		single->origin[0][k] = (float)( ( u - f.center[0] ) * f.spacing_north );
		single->origin[1][k] = (float)( ( v - f.center[1] ) * f.spacing_east );
		single->origin[2][k] = (float)( w - f.center[2] );
		single->direction[0][k] = (float)packet->direction[0][k];
		single->direction[1][k] = (float)packet->direction[1][k];
		single->direction[2][k] = (float)packet->direction[2][k];
		single->far[k] = (float)( ( t1 - t0 ) * ( 1 + 2.5e-7 ) );
	}
	rays->tolerance = f.tolerance;
	single->lanes = 0;
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		single->lanes |= (uint32_t)( enters[k] > 0 ) << k;
	}
	single->lanes &= packet->lanes;
}

static void finish( const ds_ground_frame *frame, const ds_ground_rays *rays, uint32_t lanes, ds_ray_packet *packet )
{
	const double per_north = frame->per_north, per_east = frame->per_east;
	alignas( 64 ) double t[DS_RAY_LANES], n[3][DS_RAY_LANES];
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		double a = rays->gu[k] * per_north, b = rays->gv[k] * per_east, s = 1 / sqrt( 1 + ( a * a + b * b ) );
		t[k] = rays->shift[k] + rays->far[k];
		n[0][k] = a * s;
		n[1][k] = b * s;
		n[2][k] = -s;
	}
	for ( int k = 0; k < DS_RAY_LANES; ++k )
	{
		if ( ( lanes >> k & 1 ) && rays->triangle[k] >= 0 && t[k] <= packet->far[k] )
		{
			packet->far[k] = t[k];
			packet->item[k] = (int64_t)rays->triangle[k];
			packet->body[k] = -1;
			packet->normal[0][k] = n[0][k];
			packet->normal[1][k] = n[1][k];
			packet->normal[2][k] = n[2][k];
		}
	}
}
