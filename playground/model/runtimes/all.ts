import { cpp } from "./cpp.js";
import { go } from "./go.js";
import { java } from "./java.js";
import { javascript } from "./javascript.js";
import { python } from "./python.js";
import type { Runtime } from "./runtime.js";
import { rust } from "./rust.js";

/** Every runtime that the page shows, in its order. */
export const runtimes: readonly Runtime[] = [javascript, go, java, python, cpp, rust];
