import { Complaint } from "./outcome.js";
import { Random } from "./random.js";
import type { Target } from "./target.js";

/** A complaint and the smallest input that was found to cause it. */
export interface Find {
  readonly kind: string;
  readonly message: string;
  readonly input: string;
}

/** What a run did. */
export interface Run {
  readonly inputs: number;
  /** How many of the inputs were documents, or schemas that compile. */
  readonly accepted: number;
  readonly finds: readonly Find[];
}

/** Check inputs until `isOver`. Of each kind of complaint the first input is kept, and made small. */
export function runTarget<Input>(target: Target<Input>, seed: number, isOver: (inputs: number) => boolean): Run {
  const finds = new Map<string, Find>();
  let inputs = 0;
  let accepted = 0;
  for (; !isOver(inputs); inputs++) {
    const input = target.make(new Random(seed + inputs));
    const complaint = complaintOf(target, input);
    if (complaint === true) {
      accepted++;
      target.keep(input);
    } else if (complaint !== false && !finds.has(complaint.kind)) {
      finds.set(complaint.kind, describeFind(target, minimize(target, input, complaint.kind)));
    }
  }
  return { inputs, accepted, finds: [...finds.values()] };
}

function complaintOf<Input>(target: Target<Input>, input: Input): Complaint | boolean {
  try {
    return target.check(input);
  } catch (error) {
    if (error instanceof Complaint) return error;
    // Nothing but conversions may throw, and those are caught: this is about the test itself, or about a tool.
    const { name, message, stack } = error as Error;
    return new Complaint(
      `${name} in ${stack
        ?.split("\n")
        .find((line) => /^\s+at /.test(line))
        ?.trim()}`,
      message,
    );
  }
}

/** Leave out parts for as long as the complaint stays the same. */
function minimize<Input>(target: Target<Input>, input: Input, kind: string): Input {
  let smallest = input;
  for (let tries = 0, isSmaller = true; isSmaller && tries < 5000; ) {
    isSmaller = false;
    for (const smaller of target.shrink(smallest)) {
      if (tries++ >= 5000) break;
      const complaint = complaintOf(target, smaller);
      if (typeof complaint === "boolean" || complaint.kind !== kind) continue;
      smallest = smaller;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function describeFind<Input>(target: Target<Input>, input: Input): Find {
  const { kind, message } = complaintOf(target, input) as Complaint;
  return { kind, message, input: target.show(input) };
}
