# ebb_proto(NAME FILE...): messages and gRPC stubs of .proto files of one folder, which may import
# each other, as the library ebb_proto_NAME. Generated code is compiled without our warnings and is
# never committed.
function(ebb_proto name)
  set(out ${CMAKE_CURRENT_BINARY_DIR})
  set(generated)
  foreach(file ${ARGN})
    get_filename_component(base ${file} NAME_WE)
    list(APPEND generated ${out}/${base}.pb.cc ${out}/${base}.pb.h ${out}/${base}.grpc.pb.cc
      ${out}/${base}.grpc.pb.h)
  endforeach()
  add_custom_command(OUTPUT ${generated}
    COMMAND protobuf::protoc --proto_path=${CMAKE_CURRENT_SOURCE_DIR} --cpp_out=${out}
      --grpc_out=${out} --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN} ${ARGN}
    DEPENDS ${ARGN} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} VERBATIM)
  add_library(ebb_proto_${name} STATIC ${generated})
  target_include_directories(ebb_proto_${name} SYSTEM PUBLIC ${out})
  target_link_libraries(ebb_proto_${name} PUBLIC ebb_grpc)
endfunction()
