# A rock from a ball of radius 1 (deepsim mesh make sphere --radius 1 --faces 720 -o ball.obj; awk -f rock.awk ball.obj > rock.obj):
# waves of random directions push its vertices in and out, then it is stretched.
BEGIN {
	srand( 5 )
	for ( i = 0; i < 40; ++i )
	{
		size = 1.5 * 1.09 ^ i; strength[i] = 0.16 / size
		z = 2 * rand() - 1; a = 6.2831853 * rand(); r = sqrt( 1 - z * z )
		x[i] = size * r * cos( a ); y[i] = size * r * sin( a ); w[i] = size * z; phase[i] = 6.2831853 * rand()
	}
	print "# A rock. Metres; x forward, y right, z down."
}
$1 == "v" {
	push = 1
	for ( i = 0; i < 40; ++i )
	{
		push += strength[i] * sin( x[i] * $2 + y[i] * $3 + w[i] * $4 + phase[i] )
	}
	printf "v %.3f %.3f %.3f\n", 0.75 * push * $2, 0.6 * push * $3, 0.5 * push * $4
}
$1 == "f" { print }
