export { createStructInterceptor } from "./grpc/create-struct-interceptor.js";
export type { GrpcStructOptions } from "./grpc/grpc-options.js";
export type { GrpcClient, GrpcHandlers, GrpcServiceDefinition } from "./grpc/service-types.js";
export { readStructProblem } from "./grpc/status-details.js";
export type { StructProblem } from "./grpc/struct-problem.js";
export { toServiceDefinition } from "./grpc/to-service-definition.js";
