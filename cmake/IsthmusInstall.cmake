# The files that `cmake --install` installs; other projects find them by find_package(isthmus) or pkg-config isthmus.
include(CMakePackageConfigHelpers)

install(TARGETS isthmus EXPORT isthmusTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT isthmusTargets NAMESPACE isthmus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/isthmus)
# isthmus.hpp and what it includes; tests/package/public_headers.py holds the list.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt public_headers)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt)
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/isthmus/${folder})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/algorithms/isthmus.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/isthmus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/platforms DESTINATION ${CMAKE_INSTALL_DATADIR}/isthmus
        FILES_MATCHING PATTERN "*.xml" PATTERN "*.cfg" PATTERN "wide_area" EXCLUDE)
# In the folders of the sources: experiments name their platforms by the path from here.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/validation/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/isthmus/validation)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/isthmusConfig.cmake.in ${CMAKE_BINARY_DIR}/isthmusConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/isthmus)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/isthmusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/isthmusConfig.cmake ${CMAKE_BINARY_DIR}/isthmusConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/isthmus)

# From the folder of isthmus.pc up to the prefix, so that an installed tree can be moved.
file(RELATIVE_PATH ISTHMUS_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(package isthmus isthmus-mpi)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${CMAKE_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
