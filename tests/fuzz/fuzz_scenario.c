// libFuzzer target over the scenario reader. What stands before the first NUL byte is the scenario's text, what comes after
// it an override. Built by hand, against a static library built with the same sanitizers:
//
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -DDEEPSIM_STATIC -Iinclude -Isrc -I.
//     tests/fuzz/fuzz_scenario.c libdeepsim.a -lassimp -lcjson -lBulletDynamics-float64 -lBulletCollision-float64
//     -lLinearMath-float64 -lstdc++ -lm -ldl -o fuzz_scenario
//   ./fuzz_scenario -max_len=8192 CORPUS examples
//
// Whatever the text: an error says something on one line, and a scenario that was taken is taken again from the text that
// it keeps.

#include "base/json.h"
#include "deepsim/scenario.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size );

// Meshes of millions of faces, grounds of millions of samples and files of this machine are no part of what is tested.
static bool is_heavy( const char *text )
{
	return strstr( text, "faces" ) || strstr( text, "fractal" ) || strstr( text, "sinusoid" ) ||
		   strstr( text, "file" ) || strstr( text, "include" ) || strstr( text, "plugins" );
}

static void check( const char *text, const char *const *overrides, int32_t n )
{
	ds_scenario *scenario, *again;
	ds_status status = ds_scenario_parse( text, "fuzz.json", "/nonexistent", overrides, n, NULL, &scenario );
	if ( ( status == DS_OK ) != ( scenario != NULL ) )
	{
		abort();
	}
	if ( status != DS_OK )
	{
		if ( ds_last_error()[0] == 0 || strchr( ds_last_error(), '\n' ) )
		{
			abort();
		}
		return;
	}
	const char *kept = ds_scenario_describe( scenario ).json;
	if ( ds_scenario_parse( kept, "fuzz.json", "/nonexistent", NULL, 0, NULL, &again ) != DS_OK )
	{
		abort();
	}
	ds_scenario_release( again );
	ds_scenario_release( scenario );
}

int LLVMFuzzerTestOneInput( const uint8_t *data, size_t size )
{
	char *text = malloc( size + 1 );
	if ( text == NULL )
	{
		return 0;
	}
	memcpy( text, data, size );
	text[size] = 0;
	size_t length = strlen( text );
	const char *override = length < size ? text + length + 1 : NULL;

	// the bytes as they are, NULs too, through the parser alone
	ds_arena arena;
	ds_json *root;
	ds_arena_init( &arena, NULL );
	(void)ds_json_parse( &arena, "fuzz.json", 1, (const char *)data, size, &root );
	ds_arena_free( &arena );
	if ( !is_heavy( text ) && ( override == NULL || !is_heavy( override ) ) )
	{
		check( text, &override, override ? 1 : 0 );
	}
	free( text );
	return 0;
}
