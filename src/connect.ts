export type { ExactJsonOptions } from "./connect/exact-json-options.js";
export { exactJsonOptions } from "./connect/exact-json-options.js";
export { findStructProblems } from "./connect/find-struct-problems.js";
export type { StructInterceptorOptions } from "./connect/interceptor-options.js";
export { createClientStructInterceptor, createServerStructInterceptor } from "./connect/struct-interceptors.js";
export type { StructProblem } from "./connect/struct-problem.js";
