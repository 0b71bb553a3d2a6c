# Debian 12's packages. The shared and the fully static link name the same things differently, so
# every third-party library enters the tree here, under one name of ours.
include(GoogleTest)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
if(EBB_TESTS)
  find_package(GTest REQUIRED CONFIG)
  find_package(rapidcheck REQUIRED CONFIG)
  add_library(ebb_rapidcheck INTERFACE)
  target_link_libraries(ebb_rapidcheck INTERFACE rapidcheck rapidcheck_gtest)
endif()

add_library(ebb_grpc INTERFACE)
add_library(ebb_sqlite INTERFACE)
add_library(ebb_yaml INTERFACE)
add_library(ebb_json INTERFACE)
add_library(ebb_asio INTERFACE)
add_library(ebb_tls INTERFACE)
add_library(ebb_zlib INTERFACE)
if(EBB_STATIC)
  target_link_libraries(ebb_tls INTERFACE ssl crypto cares Threads::Threads)
  pkg_check_modules(GRPC_STATIC REQUIRED grpc++_unsecure protobuf-lite)
  # The .pc file of the insecure gRPC forgets four archives; a group makes their order irrelevant.
  target_link_libraries(ebb_grpc INTERFACE -Wl,--start-group ${GRPC_STATIC_STATIC_LIBRARIES}
    upb address_sorting cares re2 z -Wl,--end-group Threads::Threads)
  target_link_libraries(ebb_sqlite INTERFACE sqlite3 m dl Threads::Threads)
else()
  target_link_libraries(ebb_grpc INTERFACE grpc++_unsecure grpc_unsecure protobuf-lite absl_synchronization gpr
    Threads::Threads)
  target_link_libraries(ebb_sqlite INTERFACE SQLite::SQLite3)
  target_link_libraries(ebb_tls INTERFACE OpenSSL::SSL OpenSSL::Crypto cares)
endif()
target_link_libraries(ebb_yaml INTERFACE yaml-cpp)
target_link_libraries(ebb_json INTERFACE boost_json)
# By its name alone: a static link takes libz.a then.
target_link_libraries(ebb_zlib INTERFACE z)
# Headers only.
target_link_libraries(ebb_asio INTERFACE Threads::Threads)
if(EBB_SANITIZE STREQUAL "thread")
  # ThreadSanitizer knows no fences; the locks of Asio's queue order what they order.
  target_compile_definitions(ebb_asio INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
endif()
