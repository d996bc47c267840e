# Makes an ESRI ASCII grid of a seamount on abyssal hills: awk -f docs/seamount.awk > seamount.asc
BEGIN {
	n = 601; cell = 10; pi = atan2( 0, -1 )
	printf "ncols %d\nnrows %d\nxllcenter -3000\nyllcenter -3000\ncellsize %d\n", n, n, cell
	for ( i = n - 1; i >= 0; i-- ) for ( j = 0; j < n; j++ ) {
		x = j * cell - 3000; y = i * cell - 3000; r = sqrt( x * x + y * y ) / 1000
		gullies = 1 + 0.13 * r * cos( 9 * atan2( y, x ) + 3 * r + sin( 2 * r + x / 700 ) )
		hills = 35 * sin( 2 * pi * ( x + 0.25 * y ) / 900 + 2 * sin( y / 700 ) ) + 12 * cos( 2 * pi * ( x - 0.1 * y ) / 310 + sin( y / 300 ) )
		printf "%.2f%s", 950 * exp( -r * r / 1.3 ) * gullies + hills - 4300, j < n - 1 ? " " : "\n"
	}
}
