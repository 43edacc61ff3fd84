# Libraries, all from Debian packages (scripts/packages lists them).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
pkg_check_modules(SIMGRID REQUIRED IMPORTED_TARGET simgrid>=3.32)
pkg_get_variable(SIMGRID_INCLUDE_DIR simgrid includedir)

# libsimgrid and libmpi export the same symbols and must never meet in one program: choose one of these two for a target.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS C CXX)
add_library(isthmus_with_mpi INTERFACE)
target_link_libraries(isthmus_with_mpi INTERFACE MPI::MPI_CXX)
target_compile_definitions(isthmus_with_mpi INTERFACE OMPI_SKIP_MPICXX ISTHMUS_MPI_FLAVOUR=real_mpi)
add_library(isthmus_with_smpi INTERFACE)
target_include_directories(isthmus_with_smpi SYSTEM INTERFACE ${SIMGRID_INCLUDE_DIR}/smpi)
target_link_libraries(isthmus_with_smpi INTERFACE PkgConfig::SIMGRID)
target_compile_definitions(isthmus_with_smpi INTERFACE ISTHMUS_MPI_FLAVOUR=smpi)

# Debian's Python, not another one that may come first on PATH.
if(EXISTS /usr/bin/python3 AND NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 COMPONENTS Interpreter REQUIRED)

if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
  include(GoogleTest)
endif()
