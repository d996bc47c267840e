#include "world_kit.h"
#include "deepsim/math.h"
#define DEGREE ( DS_PI / 180 )
static void test_quick( void **state )
{
	(void)state;
	ds_port_config c = ds_port_config_default();
	double worst=0, worst_point=0;
	ds_random stream = { 0 };
	(void)stream;
	srand(1);
	for(int i=0;i<200000;i++){
#define U(a,b) ((a)+((b)-(a))*rand()/(double)RAND_MAX)
		c.kind = 1 + i%2;
		c.glass = i%4;
		c.thickness = i%7==0 ? 0 : U(0,0.05); c.distance = i%11==0?0:pow(10,U(-7,0));
		c.tilt[0]=U(-.9,.9); c.tilt[1]=U(-.9,.9);
		double e=U(0,0.998)*c.radius/sqrt(3); for(int k=0;k<3;k++) c.decentring[k]=U(-e,e);
		ds_port p; OK( ds_port_make( &c, i%5!=0, 35, 4, &p ) );
		ds_vec3 d = ds_v3(U(-1,1),U(-1,1),U(-1,1)); d=ds_scale(1/ds_length(d),d);
		ds_vec3 o,w; double t;
		if( ds_port_ray(&p,d,&o,&w,&t)!=DS_OK ) continue;
		assert_true( t>0 && t<=1 );
		double range = pow(10,U(-6,3));
		ds_vec3 x = ds_mad(o,range,w), back, o2,w2;
		if ( ds_port_see(&p,x,&back) ) { if(strstr(ds_last_error(),"not outside")&&range<1e-4)continue; fail_msg("%d %s", i, ds_last_error());}
		double err=ds_length(ds_sub(back,d)); 
		OK(ds_port_ray(&p,back,&o2,&w2,NULL));
		double ep=ds_length(ds_cross(ds_sub(x,o2),w2))/(range+0.05);
		if(err>worst){worst=err;printf("%d kind %d err %g range %g cosine %g\n",i,p.kind,err,range,ds_dot(d,p.normal));}
		if(ep>worst_point){worst_point=ep;printf("%d kind %d POINT err %g range %g cosine %g\n",i,p.kind,ep,range,ds_dot(d,p.normal));}
	}
}
int main(void){ const struct CMUnitTest t[]={cmocka_unit_test(test_quick)}; return cmocka_run_group_tests(t,NULL,NULL);}
