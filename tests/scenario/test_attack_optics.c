// The program against careless hands: files that are none, outputs that cannot be, options that contradict each other. Every refusal is one
// message that names what is wrong, comes before the work, and leaves no half of a file.

#include "tests/scenario/program.h"

static void write_scene( const char *path, const char *visual, const char *calibration )
{
	char text[2048];
	snprintf( text, sizeof( text ),
		"{ \"deepsim\": 1, \"duration\": 1, \"rate\": 20,\n"
		"  \"environment\": { \"gravity\": 0 },\n"
		"  \"bodies\": [ { \"name\": \"rov\", \"mass\": 10, \"inertia\": [1, 1, 1], \"hydrodynamics\": { \"model\": "
		"\"none\" },\n"
		"    \"pose\": { \"position\": [0, 0, 3000] } },\n"
		"    { \"name\": \"thing\", \"mass\": 10, \"inertia\": [1, 1, 1], \"fixed\": true, \"pose\": { \"position\": "
		"[4, 0, 3000] }, \"visual\": %s } ],\n"
		"  \"sensors\": [ { \"name\": \"front\", \"type\": \"camera\", \"body\": \"rov\", \"rate\": 5, \"config\": {\n"
		"    \"lens\": { \"width\": 32, \"height\": 24, \"calibration\": \"%s\" } } } ]\n"
		"}\n",
		visual, calibration );
	write_file( path, text );
}

static bool is_there( const char *path )
{
	struct stat info;
	return stat( path, &info ) == 0;
}

static void test_outputs( void **state )
{
	(void)state;
	write_scene( ROOT "s.json", "null", "" );
	assert_int_equal(
		shell( "cd '" DEEPSIM_TEST_TMP "' && rm -rf dir.png *.part && mkdir -p dir.png folder && ln -sf /dev/full "
			   "full.png && ln -sf /dev/full full.npy && rm -f pipe.png pipe.npy && mkfifo pipe.png pipe.npy" ),
		0 );
	static const struct
	{
		const char *arguments;
		int code;
		const char *message;
	} cases[] = {
		{ "-o a.png --depth a.png", 2, "two frames would be written to a.png" },
		{ "-o a.png --depth folder/../a.png", 2, "two frames would be written to folder/../a.png" },
		{ "--depth a.npy --z-depth ./a.npy", 2, "two frames would be written to ./a.npy" },
		{ "-o dir.png", 1, "dir.png: cannot open for writing: Is a directory" },
		{ "-o no/such.png", 1,
			"no/such.png: cannot open for writing: No such file or directory; make the folder first" },
		{ "-o full.png", 1, "full.png: cannot write: No space left on device" },
		{ "--depth full.npy", 1, "full.npy: cannot write: No space left on device" },
		{ "-o pipe.png", 1, "pipe.png: cannot open for writing: No such device or address; a pipe without a reader" },
		{ "--depth pipe.npy", 1, "start the reader first" },
		{ "-o a.jpg", 2, "a.jpg" },
		{ "-o a.png --size 9000x9000", 1, "9000 x 9000 pixels, must not be more than" },
		{ "-o a.png --size 8192x8192 --set sensors.front.config.supersampling=4", 1, "GiB of memory" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		char line[512];
		snprintf( line, sizeof( line ), "render s.json --time 0.2 %s", cases[i].arguments );
		assert_int_equal( deepsim( line ), cases[i].code );
		expect_text( ERR, cases[i].message );
		assert_false( is_there( ROOT "a.png" ) || is_there( ROOT "a.npy" ) || is_there( ROOT "a.png.part" ) );
	}
	assert_int_equal(
		shell( "cd '" DEEPSIM_TEST_TMP "' && ( cat pipe.png >piped.png & ) && sleep 0.2 && '" DEEPSIM_PROGRAM
			   "' render s.json -o pipe.png --quiet && sleep 0.2 && test -s piped.png" ),
		0 );
}

// Files that are none: of lenses and of what is seen. A pipe, which would block, comes last in each.
static void test_inputs( void **state )
{
	(void)state;
	assert_int_equal(
		shell(
			"cd '" DEEPSIM_TEST_TMP "' && mkdir -p folder folder.obj && rm -f pipe pipe.mtl pipe.obj && mkfifo pipe "
			"pipe.mtl pipe.obj && head -c 5000 '" DEEPSIM_PROGRAM "' >binary && cp binary binary.obj && cp binary "
			"binary.glb && cp binary binary.stl && cp binary binary.ply && : >empty && : >empty.obj && : >empty.glb" ),
		0 );
	static const char *const lenses[] = { "missing", "folder", "binary", "empty", "/dev/null", "pipe" };
	for ( size_t i = 0; i < sizeof( lenses ) / sizeof( lenses[0] ); ++i )
	{
		write_scene( ROOT "s.json", "null", lenses[i] );
		assert_int_equal( deepsim( "render s.json -o a.png" ), 1 );
		expect_text( ERR, lenses[i] );
		expect_text( ERR, "front" );
		char line[128];
		snprintf( line, sizeof( line ), "optics lens %s", lenses[i] );
		assert_int_equal( deepsim( line ), 1 );
		expect_text( ERR, lenses[i] );
	}
	static const char *const visuals[] = { "missing.obj", "folder.obj", "binary.obj", "binary.glb", "binary.stl",
		"binary.ply", "empty.obj", "empty.glb", "empty", "pipe.obj" };
	for ( size_t i = 0; i < sizeof( visuals ) / sizeof( visuals[0] ); ++i )
	{
		char visual[128];
		snprintf( visual, sizeof( visual ), "{ \"file\": \"%s\" }", visuals[i] );
		write_scene( ROOT "s.json", visual, "" );
		assert_int_equal( deepsim( "render s.json -o a.png" ), 1 );
		expect_text( ERR, visuals[i] );
	}
	// a pipe that an OBJ names
	write_file( ROOT "piped.obj", "mtllib pipe.mtl\nv 0 -1 -1\nv 0 1 -1\nv 0 0 1\nf 1 2 3\n" );
	write_scene( ROOT "s.json", "{ \"file\": \"piped.obj\" }", "" );
	assert_int_equal( deepsim( "render s.json -o a.png" ), 1 );
	expect_text( ERR, "pipe.mtl: is not a regular file" );
}

static void test_optics_verbs( void **state )
{
	(void)state;
	write_file( ROOT "lens.yaml",
		"%YAML:1.0\n---\nimage_width: 64\nimage_height: 48\ncamera_matrix: [ 50, 0, 32, 0, 50, 24, 0, 0, 1 ]\n" );
	assert_int_equal( shell( "cd '" DEEPSIM_TEST_TMP "' && mkdir -p folder && rm -f pipe && mkfifo pipe" ), 0 );
	static const struct
	{
		const char *arguments;
		int code;
		const char *message;
	} cases[] = {
		{ "optics water IB --depth nan", 2, "--depth cannot be \"nan\": expected metres, 0 to 20000" },
		{ "optics water IB --turbidity x", 2, "--turbidity cannot be \"x\": expected a factor, 0 to 10000" },
		{ "optics water IB --csv folder", 1, "folder: cannot open for writing: Is a directory" },
		{ "optics water IB --csv no/such.csv", 1, "make the folder first" },
		{ "optics water IB --csv /dev/full", 1, "/dev/full: cannot write: No space left on device; free some space" },
		{ "optics water IB --csv pipe", 1, "start the reader first" },
		{ "optics lens lens.yaml --name left", 2, "add --write ros_yaml FILE" },
		{ "optics lens lens.yaml --write ros_yaml b.yaml --write opencv_xml b.yaml", 2, "b.yaml is given twice" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		assert_int_equal( deepsim( cases[i].arguments ), cases[i].code );
		expect_text( ERR, cases[i].message );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_outputs ),
		cmocka_unit_test( test_inputs ),
		cmocka_unit_test( test_optics_verbs ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
