# How every target of ours is compiled. Third-party and generated code never links ebb_options.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
# Generated protobuf code has fields named `linux`; -std=gnu++ would define that word as a macro.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(EBB_TESTS "build the tests" ON)
option(EBB_BENCH "build the benchmarks" OFF)
option(EBB_FUZZ "build the fuzzers; clang only" OFF)
option(EBB_STATIC "link the programs fully static" OFF)
option(EBB_WERROR "treat warnings as errors" OFF)
set(EBB_TEST_REGEX "" CACHE STRING "build only the test programs whose names match; empty: all")
set(EBB_SANITIZE "" CACHE STRING "sanitizers, for example address,undefined or thread")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(ebb_options INTERFACE)
target_include_directories(ebb_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(ebb_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wundef -Wformat=2 -Wextra-semi
  -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wsuggest-override>
  $<$<BOOL:${EBB_WERROR}>:-Werror>)
target_compile_definitions(ebb_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(EBB_SANITIZE)
  # For every target, third-party-facing generated code included: half an instrumented program lies.
  add_compile_options(-fsanitize=${EBB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${EBB_SANITIZE})
  # g++ 12 sees uninitialized members inside libstdc++'s <regex> once it is instrumented.
  target_compile_options(ebb_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(EBB_STATIC)
  add_link_options(-static)
  # The linker warns of every use of the resolver and of dlopen; docs/decisions/0001 says why none of
  # them is reached.
  add_link_options(-Wl,--no-warnings)
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
endif()

# ebb_module(NAME DEPS ...): one folder of src/ as a static library, and its *_test.cc as one program.
function(ebb_module name)
  cmake_parse_arguments(arg "" "" "DEPS;PRIVATE;TEST_DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(TRANSFORM arg_DEPS PREPEND ebb_)
  list(TRANSFORM arg_TEST_DEPS PREPEND ebb_)
  if(sources)
    add_library(ebb_${name} STATIC ${sources})
    target_link_libraries(ebb_${name} PUBLIC ebb_options ${arg_DEPS} PRIVATE ${arg_PRIVATE})
  else()
    add_library(ebb_${name} INTERFACE)
    target_link_libraries(ebb_${name} INTERFACE ebb_options ${arg_DEPS})
  endif()
  if(EBB_TESTS AND tests)
    ebb_test(${name} SOURCES ${tests} DEPS ebb_${name} ${arg_TEST_DEPS})
  endif()
endfunction()

# ebb_test(NAME SOURCES ... DEPS ... LABELS ...): one GoogleTest program, each test one ctest entry.
function(ebb_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(EBB_TEST_REGEX AND NOT name MATCHES "${EBB_TEST_REGEX}")
    return()
  endif()
  get_filename_component(tree ${PROJECT_BINARY_DIR} NAME)
  add_executable(${name}_test ${arg_SOURCES})
  if(EBB_SANITIZE)
    # The code under test keeps its tree's -O1; optimising the tests' own text takes half of their build.
    target_compile_options(${name}_test PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Og>)
  endif()
  target_link_libraries(${name}_test PRIVATE ebb_options ${arg_DEPS} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name}_test TEST_PREFIX "${tree}/${name}." DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 120
    ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp")
endfunction()
