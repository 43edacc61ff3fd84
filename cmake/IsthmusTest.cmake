# isthmus_test(NAME sources... [LIBRARIES targets...] [LABELS labels...] [TIMEOUT seconds] [SERIAL])
# A GoogleTest program; CTest runs its tests one by one. Without LABELS it is a unit test. Long tests start first, so that no
# processor is idle at the end. A TIMEOUT ends tests that hang; under heavy load tests take ten times as long.
function(isthmus_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "TIMEOUT" "LIBRARIES;LABELS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE isthmus_options ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  # After a build, starting a program may take longer than CMake's default of 5 s.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120 NO_PRETTY_VALUES
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT} RUN_SERIAL $<BOOL:${arg_SERIAL}>)
endfunction()

# isthmus_benchmark(NAME sources... [LIBRARIES targets...]): a Google Benchmark program, built but not run by CTest.
function(isthmus_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE isthmus_options ${arg_LIBRARIES} benchmark::benchmark_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
endfunction()
