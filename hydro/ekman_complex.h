// Inside the Ekman flow and its fit: arithmetic of horizontal vectors as complex numbers.

#ifndef DEEPSIM_HYDRO_EKMAN_COMPLEX_H
#define DEEPSIM_HYDRO_EKMAN_COMPLEX_H

#include "hydro/ekman.h"

static inline ds_complex cx( double re, double im )
{
	ds_complex z = { re, im };
	return z;
}

static inline ds_complex cx_add( ds_complex a, ds_complex b )
{
	return cx( a.re + b.re, a.im + b.im );
}

static inline ds_complex cx_sub( ds_complex a, ds_complex b )
{
	return cx( a.re - b.re, a.im - b.im );
}

static inline ds_complex cx_scale( double s, ds_complex a )
{
	return cx( s * a.re, s * a.im );
}

static inline ds_complex cx_mul( ds_complex a, ds_complex b )
{
	return cx( a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re );
}

static inline ds_complex cx_div( ds_complex a, ds_complex b )
{
	double n = b.re * b.re + b.im * b.im;
	return cx( ( a.re * b.re + a.im * b.im ) / n, ( a.im * b.re - a.re * b.im ) / n );
}

#endif
