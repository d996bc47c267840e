# Install rules: headers, library, program, man page, and what finds them (CMake package, pkg-config file). The installed
# tree can be moved: no file in it holds the prefix, unless a folder was given as an absolute path.

include( GNUInstallDirs )
include( CMakePackageConfigHelpers )

set( DEEPSIM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/deepsim )

install( TARGETS deepsim EXPORT deepsimTargets
	RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
	INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} )
install( DIRECTORY include/deepsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" )

# Modules lie in ${libdir}/deepsim. The library finds them beside itself, the program by the way from bindir to there; the full
# path is for programs that link a static library.
get_property( DEEPSIM_MODULES GLOBAL PROPERTY DEEPSIM_MODULES )
if( DEEPSIM_MODULES )
	install( TARGETS ${DEEPSIM_MODULES} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/deepsim )
endif()
file( RELATIVE_PATH DEEPSIM_MODULES_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/deepsim )
set_source_files_properties( src/base/module.c PROPERTIES COMPILE_DEFINITIONS
	"DEEPSIM_MODULES_FROM_PROGRAM=\"/${DEEPSIM_MODULES_FROM_PROGRAM}\";DEEPSIM_MODULES_INSTALLED=\"${CMAKE_INSTALL_FULL_LIBDIR}/deepsim\"" )

install( EXPORT deepsimTargets NAMESPACE deepsim:: DESTINATION ${DEEPSIM_PACKAGE_DIR} )

# The CMake package.
set( DEEPSIM_IS_STATIC OFF )
if( DEEPSIM_TYPE STREQUAL "STATIC_LIBRARY" )
	set( DEEPSIM_IS_STATIC ON )
endif()
configure_package_config_file( src/packaging/deepsimConfig.cmake.in packaging/deepsimConfig.cmake
	INSTALL_DESTINATION ${DEEPSIM_PACKAGE_DIR} )
write_basic_package_version_file( ${CMAKE_CURRENT_BINARY_DIR}/packaging/deepsimConfigVersion.cmake
	COMPATIBILITY SameMinorVersion )
install( FILES ${CMAKE_CURRENT_BINARY_DIR}/packaging/deepsimConfig.cmake
	${CMAKE_CURRENT_BINARY_DIR}/packaging/deepsimConfigVersion.cmake DESTINATION ${DEEPSIM_PACKAGE_DIR} )

# The pkg-config file. Paths are relative to its own place.
set( DEEPSIM_PC_PREFIX ${CMAKE_INSTALL_PREFIX} )
set( DEEPSIM_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR} )
set( DEEPSIM_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR} )
if( NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} )
	file( RELATIVE_PATH DEEPSIM_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig / )
	string( REGEX REPLACE "/$" "" DEEPSIM_PC_PREFIX "\${pcfiledir}/${DEEPSIM_PC_PREFIX}" )
	set( DEEPSIM_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}" )
endif()
if( NOT IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR} )
	set( DEEPSIM_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}" )
endif()
set( DEEPSIM_PC_CFLAGS "" )
if( DEEPSIM_IS_STATIC )
	set( DEEPSIM_PC_CFLAGS " -DDEEPSIM_STATIC" )
endif()
configure_file( src/packaging/deepsim.pc.in packaging/deepsim.pc @ONLY )
install( FILES ${CMAKE_CURRENT_BINARY_DIR}/packaging/deepsim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig )

# The program and its page.
configure_file( src/packaging/deepsim.1.in packaging/deepsim.1 @ONLY )
if( DEEPSIM_BUILD_PROGRAM AND TARGET deepsim_program )
	install( TARGETS deepsim_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} )
	install( FILES ${CMAKE_CURRENT_BINARY_DIR}/packaging/deepsim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 )
endif()
