# Installs the build into an empty folder, then builds and runs the consumer against it: by find_package and by pkg-config.
# Also runs the installed command from there, to see that it finds its helper programs.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${status}:\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/usr)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/by-cmake -DCMAKE_PREFIX_PATH=${WORK}/usr -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/by-cmake)
run(${WORK}/by-cmake/consumer)

file(GLOB_RECURSE pc ${WORK}/usr/isthmus.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
run(pkg-config --cflags --libs isthmus)
string(STRIP "${output}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
separate_arguments(of_environment UNIX_COMMAND "$ENV{CXXFLAGS}")
run(${CXX} ${of_environment} ${SOURCE}/consumer.cpp -o ${WORK}/by-pkg-config ${flags})
run(${WORK}/by-pkg-config)

# isthmus.h, from C: by pkg-config and by find_package.
file(GLOB_RECURSE mpi_library ${WORK}/usr/libisthmus-mpi.so)
get_filename_component(mpi_folder ${mpi_library} DIRECTORY)
run(pkg-config --cflags --libs isthmus-mpi)
string(STRIP "${output}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${MPICC} ${of_environment} ${SOURCE}/consumer.c ${flags} -Wl,-rpath,${mpi_folder} -o ${WORK}/in-c)
set(ENV{ASAN_OPTIONS} detect_leaks=0)  # Open MPI has some
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
foreach(program ${WORK}/in-c ${WORK}/by-cmake/consumer_in_c)
  run(${MPIRUN} --oversubscribe -n 3 ${program})
  if(NOT output MATCHES "message 42, sum 3")
    message(FATAL_ERROR "the consumer in C said:\n${output}")
  endif()
endforeach()

# Only public headers are installed.
file(GLOB_RECURSE headers RELATIVE ${WORK}/usr/include ${WORK}/usr/include/*)
list(FILTER headers EXCLUDE REGEX "^isthmus/(isthmus.hpp|algorithms/)|^isthmus.h$")
if(headers)
  message(FATAL_ERROR "installed and not public: ${headers}")
endif()

# Under a path with a blank everything is found but the drop-in, which LD_PRELOAD could not name.
set(blank "${WORK}/in a folder")
file(COPY ${WORK}/usr/bin ${WORK}/usr/lib ${WORK}/usr/libexec ${WORK}/usr/share DESTINATION ${blank})
run(${blank}/bin/isthmus simulate ${blank}/share/isthmus/platforms/kielmann2000/das-4x1.xml broadcast/magpie --bytes 1)
execute_process(COMMAND ${blank}/bin/isthmus run ${blank}/share/isthmus/platforms/kielmann2000/das-4x1.xml --drop-in -- true
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 3)
  message(FATAL_ERROR "a drop-in that cannot be preloaded is taken, with status ${status}:\n${said}")
endif()
if(NOT said MATCHES "LD_PRELOAD cannot name a path with a blank" AND NOT said MATCHES "substrate")
  message(FATAL_ERROR "isthmus run under a path with a blank said:\n${said}")
endif()

run(${WORK}/usr/bin/isthmus platform ${WORK}/usr/share/isthmus/platforms/kielmann2000/das-4x1.xml)
if(NOT output MATCHES "das-4x1")
  message(FATAL_ERROR "the installed isthmus did not read the installed platform:\n${output}")
endif()
