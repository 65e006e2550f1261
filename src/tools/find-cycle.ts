import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";

interface Visit {
  readonly value: unknown;
  readonly pointer: string;
  /** Whether everything below was visited. */
  readonly isEnd: boolean;
}

/** Find where an object contains itself: the JSON Pointer at which it is met again. No JSON does that. */
export function findCycle(root: unknown): string | undefined {
  const state = new Map<object, "open" | "done">();
  const pending: Visit[] = [{ value: root, pointer: "", isEnd: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer, isEnd } = next;
    if (typeof value !== "object" || value === null || state.get(value) === "done") continue;
    if (isEnd) {
      state.set(value, "done");
      continue;
    }
    if (state.has(value)) return pointer;
    state.set(value, "open");
    pending.push({ value, pointer, isEnd: true });
    for (const key of Object.keys(value)) {
      pending.push({ value: getOwn(value, key), pointer: childPointer(pointer, key), isEnd: false });
    }
  }
  return undefined;
}
