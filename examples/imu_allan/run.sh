# Read by examples/run.sh. Nine hours at rest, three times; of each only the Allan deviations are kept, for the samples would be
# 300 MB and more. A number after the name is another number of hours.
hours=${1:-9}
measured=tests/fixtures/allan/adis16448.csv

# A curve that was measured becomes the config of a sensor.
program imu_fit "$measured" "$out"

# curve NAME RATE OPTION...: the Allan deviations of a unit into NAME.csv, what they tell of it into NAME.txt
curve()
{
	curve=$1 rate=$2
	shift 2
	echo "$curve: $hours h at $rate Hz" >&2
	deepsim imu record "$@" --hours "$hours" --rate "$rate" --seed 3 -o - --quiet |
		deepsim allan - --column gx,gy,gz,ax,ay,az --csv "$out/$curve.csv" --quiet > "$out/$curve.txt"
}
curve paper_old 100 --preset paper_old
curve paper_new 100 --preset paper_new
curve fitted 200 --config "$out/fitted.json"

# What the gyroscopes of the two models of the paper are found to be.
for curve in paper_old paper_new
do
	printf '\n%s, ' "$curve"
	sed -n '/^gx/,/^$/p' "$out/$curve.txt"
done

# How far the simulated curves are from the measured ones, 0.1 s to 100 s: both are straight between their points, in logarithms.
awk -F, -v hours="$hours" '
	FNR == 1 { ++file }
	file == 1 && FNR > 1 { ++n; tau[n] = log( $1 ); for ( k = 0; k < 6; ++k ) simulated[k, n] = log( $( 2 + 3 * k ) ) }
	file == 2 && $1 + 0 >= 0.0999 && $1 + 0 < 100 {
		for ( i = 1; i < n - 1 && tau[i + 1] < log( $1 ); ++i );
		part = ( log( $1 ) - tau[i] ) / ( tau[i + 1] - tau[i] )
		for ( k = 0; k < 6; ++k )
		{
			value = simulated[k, i] + part * ( simulated[k, i + 1] - simulated[k, i] )
			off = exp( value ) / ( $( 2 + k ) * ( k < 3 ? 3.14159265358979 / 648000 : 1 ) ) - 1
			off = 100 * ( off < 0 ? -off : off )
			if ( off > worst[k] ) { worst[k] = off; where[k] = $1 }
		}
	}
	END {
		split( "gx gy gz ax ay az", name, " " )
		print "simulated against measured, 0.1 s to 100 s:"
		for ( k = 0; k < 6; ++k )
		{
			printf "  %s within %4.1f %% (at %.2g s)\n", name[k + 1], worst[k], where[k]
			bad = bad || worst[k] > 15
		}
		exit bad && hours >= 9 # shorter records tell less
	}' "$out/fitted.csv" "$measured"
