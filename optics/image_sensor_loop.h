// From expected electrons to numbers, for a block of one channel. Included by image_sensor_plain.c and its like, which choose the
// instructions; the loops are such that compilers make vectors of them.

#ifndef DEEPSIM_SENSOR_LOOP
#error "image_sensor_loop.h is a part of image_sensor_plain.c and its like"
#endif

#define N DS_SENSOR_BLOCK

#define FEW     10.0f // below this mean photons are counted by inversion
#define MOST    1e9f // electrons
#define LAST    64 // of the sum of probabilities: beyond lie 1e-25 of a mean of 10
#define HIGHEST 0.99999905f // 1 - 2^-20: what lies beyond is counted as this
#define LANES   32 // pixels that are counted together

// e^x for x in [-80, 0], to 2e-7: 2^k times a polynomial.
static inline void exponentials( int count, const float *x, float *out )
{
	uint32_t bits[N];
	float power[N];
	for ( int i = 0; i < count; ++i )
	{
		int32_t k = (int32_t)( x[i] * 1.44269504f - 0.5f );
		float kf = (float)k;
		float f = ( x[i] - kf * 0.693359375f ) - kf * -2.12194440e-4f; // ln 2 in two parts
		float p = 1.0f / 720 * f + 1.0f / 120;
		p = p * f + 1.0f / 24;
		p = p * f + 1.0f / 6;
		p = p * f + 0.5f;
		p = p * f + 1;
		out[i] = p * f + 1;
		bits[i] = (uint32_t)( k + 127 ) << 23;
	}
	memcpy( power, bits, (size_t)count * sizeof( power[0] ) );
	for ( int i = 0; i < count; ++i )
	{
		out[i] *= power[i];
	}
}

// The normal distribution's share below z, to 2e-7: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.2.17.
static inline void shares( int count, const float *z, float *out )
{
	float square[N], density[N];
	for ( int i = 0; i < count; ++i )
	{
		square[i] = -0.5f * z[i] * z[i];
	}
	exponentials( count, square, density );
	for ( int i = 0; i < count; ++i )
	{
		float t = 1 / ( 1 + 0.2316419f * fabsf( z[i] ) );
		float p = 1.330274429f * t - 1.821255978f;
		p = p * t + 1.781477937f;
		p = p * t - 0.356563782f;
		p = p * t + 0.319381530f;
		float tail = p * t * density[i] * 0.398942280f;
		float share = z[i] < 0 ? tail : 1 - tail;
		out[i] = share > HIGHEST ? HIGHEST : share;
	}
}

// Numbers of Poisson's law of small means, by inversion: how many of the sums of its probabilities the share passes.
static inline void count_few( int count, const float *mean, const float *share, float *out )
{
	float minus[N], first[N];
	for ( int i = 0; i < count; ++i )
	{
		minus[i] = -mean[i];
	}
	exponentials( count, minus, first );
	for ( int from = 0; from < count; from += LANES )
	{
		float u[LANES], m[LANES], term[LANES], sum[LANES];
		int32_t n[LANES];
		for ( int i = 0; i < LANES; ++i )
		{
			int at = from + i < count ? from + i : from;
			u[i] = share[at];
			m[i] = mean[at];
			term[i] = sum[i] = first[at];
			n[i] = 0;
		}
		for ( int k = 1; k < LAST; ++k )
		{
			float ratio = 1.0f / (float)k;
			int32_t more = 0;
			for ( int i = 0; i < LANES; ++i )
			{
				int32_t passed = u[i] >= sum[i];
				n[i] += passed;
				more |= passed;
				term[i] *= m[i] * ratio;
				sum[i] += term[i];
			}
			if ( more == 0 )
			{
				break;
			}
		}
		for ( int i = 0; i < LANES && from + i < count; ++i )
		{
			out[from + i] = (float)n[i];
		}
	}
}

// Numbers of Poisson's law of means from 10 on, of standard normal ones, by the asymptotic inverse of its distribution (M. B. Giles,
// "Algorithm 955: Approximation of the Inverse Poisson Cumulative Distribution Function", ACM Trans. Math. Software 42(1), 2016): one
// number in 10^4 is another than by exact inversion, by one, at a mean of 10, and fewer beyond.
static inline void count_many( int count, const float *mean, const double *normal, float *out )
{
	float many[N];
	for ( int i = 0; i < count; ++i )
	{
		many[i] = mean[i] < FEW ? FEW : mean[i];
	}
	for ( int i = 0; i < count; ++i )
	{
		float m = many[i], z = (float)normal[i];
		float root = sqrtf( m ), z2 = z * z;
		float a = ( 2 + z2 ) * ( 1.0f / 6 );
		float b = z * ( -1.0f / 36 - z2 * ( 1.0f / 72 ) );
		float c = -8.0f / 405 + z2 * ( 7.0f / 810 + z2 * ( 1.0f / 270 ) );
		int32_t n = (int32_t)( m + root * z + a + ( b + c / root ) / root );
		out[i] = (float)( n & ~( n >> 31 ) ); // at least 0, without a branch
	}
}

static inline void count_photons( int count, const float *mean, const double *normal, float *out )
{
	int32_t place[N];
	int few = 0;
	for ( int i = 0; i < count; ++i )
	{
		place[few] = i;
		few += mean[i] < FEW;
	}
	if ( few < count )
	{
		count_many( count, mean, normal, out );
	}
	if ( few > 0 )
	{
		float m[N], z[N], share[N], n[N];
		for ( int i = 0; i < few; ++i )
		{
			m[i] = mean[place[i]];
			z[i] = (float)normal[place[i]];
		}
		shares( few, z, share );
		count_few( few, m, share, n );
		for ( int i = 0; i < few; ++i )
		{
			out[place[i]] = n[i];
		}
	}
}

static void expose( const ds_sensor_channel *channel, int count, const float *rate, const double *shot,
	const double *read, uint16_t *out )
{
	const ds_sensor_channel c = *channel;
	float mean[N], value[N];
	for ( int i = 0; i < count; ++i )
	{
		float m = ( ( rate[i] > 0 ? rate[i] : 0 ) + c.dark ) * c.time;
		mean[i] = m < MOST ? m : MOST;
	}
	if ( c.shot )
	{
		count_photons( count, mean, shot, value );
	}
	else
	{
		memcpy( value, mean, (size_t)count * sizeof( value[0] ) );
	}
	for ( int i = 0; i < count; ++i )
	{
		value[i] = value[i] < c.well ? value[i] : c.well;
	}
	if ( c.read > 0 )
	{
		for ( int i = 0; i < count; ++i )
		{
			value[i] += c.read * (float)read[i];
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		float v = value[i] * c.scale;
		v = ( v < 1 ? v : 1 ) * c.white + c.black;
		v = v > 0 ? v : 0;
		value[i] = v < 1 ? v : 1;
	}
	if ( c.transfer )
	{
		for ( int i = 0; i < count; ++i )
		{
			float x = sqrtf( value[i] ) * DS_TRANSFER_SIZE;
			int32_t at = (int32_t)x;
			at = at < DS_TRANSFER_SIZE ? at : DS_TRANSFER_SIZE - 1;
			float low = c.transfer[at], high = c.transfer[at + 1];
			value[i] = low + ( high - low ) * ( x - (float)at );
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		out[i] = (uint16_t)(int32_t)( value[i] * c.top + 0.5f );
	}
}
