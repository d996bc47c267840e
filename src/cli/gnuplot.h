// Drawings by gnuplot, which takes its script and its numbers by a pipe.

#ifndef DEEPSIM_CLI_GNUPLOT_H
#define DEEPSIM_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

// Whether a name for a drawing ends in .png, .svg or .pdf and holds nothing that gnuplot takes for more than a name.
bool gnuplot_path_good( const char *path );

// Whether gnuplot is there; if not, says that `path` is not drawn, and that the numbers are in `data`.
bool gnuplot_found( const char *path, const char *data );

// Where the script goes; NULL, and a message, if gnuplot cannot be started.
FILE *gnuplot_start( void );

// Ends the script of a drawing; a CLI_ exit code.
int gnuplot_finish( FILE *out, const char *path );

// A text in single quotes, and a number with a space after it.
void gnuplot_text( FILE *out, const char *text );
void gnuplot_number( FILE *out, double number );

#endif
