export type { LoaderStructOptions } from "./proto-loader/loader-options.js";
export { withStructs } from "./proto-loader/with-structs.js";
