// Bias instability as a sum of Gauss-Markov processes, one a decade of correlation time, all of the same standard deviation.
//
// Flicker noise of coefficient B has the one-sided power density B^2 / (pi f) (IEEE 952, whose B^2 / (2 pi f) is two-sided). A
// Gauss-Markov process of standard deviation s and correlation time T has 4 s^2 T / (1 + (2 pi f T)^2). Summed over decades of T
// that is s^2 / (ln 10 f) but for a ripple of 5.5 %, half as much in a deviation; so s = B sqrt( ln 10 / pi ).

#ifndef DEEPSIM_SENSORS_FLICKER_H
#define DEEPSIM_SENSORS_FLICKER_H

#define DS_FLICKER_COUNT 8
#define DS_FLICKER_SIGMA 0.85612 // of each process, over B: sqrt( ln 10 / pi )

// Correlation times [s].
static const double ds_flicker_taus[DS_FLICKER_COUNT] = { 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5 };

#endif
