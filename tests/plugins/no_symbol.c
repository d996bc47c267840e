// A shared object that is no plugin: it exports no registration function.

int deepsim_test_no_symbol( void );

int deepsim_test_no_symbol( void )
{
	return 1;
}
