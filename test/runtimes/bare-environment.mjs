// Loaded before the cases: takes away what a runtime need not have, and fails where something is left. `__proto__` goes by the flag
// `--disable-proto=delete`.

for (const name of ["Buffer", "process", "WebAssembly"]) delete globalThis[name];
for (const name of ["rawJSON", "isRawJSON"]) delete JSON[name];

const left = [globalThis.Buffer, globalThis.process, globalThis.WebAssembly, JSON.rawJSON];
if (left.some((found) => found !== undefined) || Object.hasOwn(Object.prototype, "__proto__")) {
  throw new Error("something is left");
}
