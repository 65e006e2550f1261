import { equalJson } from "./equal-json.js";
import { makePayload, mixedPayloads, type Payload, type PayloadName, type Sample } from "./fixtures.js";
import { runtime } from "./runtime.js";
import { type Candidate, chooseSamples, type Direction, makeCandidates, type Scenario } from "./scenarios.js";

/** How long to look. */
export interface Effort {
  readonly rounds: number;
  readonly batchMilliseconds: number;
  readonly warmMilliseconds: number;
}

export const fullEffort: Effort = { rounds: 15, batchMilliseconds: 30, warmMilliseconds: 200 };
export const quickEffort: Effort = { rounds: 5, batchMilliseconds: 10, warmMilliseconds: 40 };
/** A document of 18 MB takes seconds each time, and once through it everything is warm. */
const hugeEffort: Effort = { rounds: 3, batchMilliseconds: 0, warmMilliseconds: 0 };

export interface Row {
  readonly candidate: string;
  readonly role: Candidate["role"];
  /** Nanoseconds of one conversion, one entry for each round; entries with the same index were taken next to each other. */
  readonly rounds: readonly number[];
}

export interface ScenarioResult {
  readonly scenario: string;
  readonly direction: Direction;
  readonly payload: PayloadName;
  readonly jsonBytes: number;
  readonly wireBytes: number;
  readonly sets: number;
  readonly rows: readonly Row[];
}

/** A candidate with its inputs in place; `next` goes round them. */
interface Runner {
  readonly candidate: Candidate;
  readonly inputs: readonly unknown[];
  next: number;
  count: number;
}

/** Results end up here, so that no compiler may leave the work out. */
let checksum = 0;
let lastObject: unknown;

export function readSink(): unknown {
  return [checksum, lastObject];
}

/** Run code on all kinds of documents before any is timed: a process that sees one shape only is faster than any real one. */
export function warmMixed(directions: readonly Direction[], effort: Effort, names: readonly string[] = []): void {
  for (const name of mixedPayloads) {
    const payload = makePayload(name);
    for (const direction of directions) {
      for (const runner of makeRunners(direction, payload, names)) runFor(runner, effort.warmMilliseconds / 4);
    }
  }
}

/** Measure a scenario. Candidates take turns, each round begins with another one; `names` leaves out all others. */
export function measure(
  scenario: Scenario,
  payload: Payload,
  effort: Effort,
  names: readonly string[] = [],
): ScenarioResult {
  const { rounds, batchMilliseconds, warmMilliseconds } = payload.name === "huge" ? hugeEffort : effort;
  const runners = makeRunners(scenario.direction, payload, names);
  for (const runner of runners)
    checkAnswers(scenario.name, runner.candidate, chooseSamples(scenario.direction, payload));
  // Only here: V8 drops optimized code along with the garbage it mentions, and nobody runs a collection in production.
  runtime.collectGarbage();
  for (const runner of runners) runFor(runner, warmMilliseconds);
  for (const runner of runners) runner.count = calibrate(runner, batchMilliseconds);
  const times = runners.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < runners.length; turn++) {
      const index = (round + turn) % runners.length;
      if (payload.name === "huge") runtime.collectGarbage();
      times[index]!.push(timeBatch(runners[index]!));
    }
  }
  return {
    scenario: scenario.name,
    direction: scenario.direction,
    payload: payload.name,
    jsonBytes: payload.samples[0]!.jsonBytes.length,
    wireBytes: payload.samples[0]!.wire.length,
    sets: chooseSamples(scenario.direction, payload).length,
    rows: runners.map(({ candidate: { name, role } }, index) => ({ candidate: name, role, rounds: times[index]! })),
  };
}

export function makeRunners(direction: Direction, payload: Payload, names: readonly string[]): Runner[] {
  const samples = chooseSamples(direction, payload);
  const shared = new Map<Candidate["prepare"], unknown[]>();
  return makeCandidates(direction, payload)
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((candidate) => {
      const inputs = shared.get(candidate.prepare) ?? samples.map((sample) => candidate.prepare(sample));
      shared.set(candidate.prepare, inputs);
      return { candidate, inputs, next: 0, count: 1 };
    });
}

function checkAnswers(scenario: string, candidate: Candidate, samples: readonly Sample[]): void {
  for (const sample of samples) {
    const answer = candidate.answer(candidate.run(candidate.prepare(sample)), sample);
    if (answer instanceof Error) throw new Error(`${scenario}: ${candidate.name} is wrong: ${answer.message}`);
    if (!equalJson(answer, sample.value)) throw new Error(`${scenario}: ${candidate.name} gives another value`);
  }
}

/** Runs for at least that much time. */
export function runFor(runner: Runner, milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) runTimes(runner, 1);
}

function calibrate(runner: Runner, milliseconds: number): number {
  if (milliseconds === 0) return 1;
  for (let count = 1; ; count *= 2) {
    const start = performance.now();
    runTimes(runner, count);
    const taken = performance.now() - start;
    if (taken >= milliseconds / 3) return Math.max(1, Math.round((count * milliseconds) / taken));
  }
}

/** Nanoseconds of one conversion. */
function timeBatch(runner: Runner): number {
  const start = runtime.now();
  runTimes(runner, runner.count);
  return (runtime.now() - start) / runner.count;
}

function runTimes(runner: Runner, count: number): void {
  const { inputs, candidate } = runner;
  const { run } = candidate;
  for (let done = 0; done < count; done++) {
    consume(run(inputs[runner.next]));
    runner.next = runner.next + 1 === inputs.length ? 0 : runner.next + 1;
  }
}

/** Reading one character makes a flat string of a rope: a rope is not a result yet. */
function consume(output: unknown): void {
  if (typeof output === "string") checksum = (checksum + output.charCodeAt(output.length >> 1)) | 0;
  else if (output instanceof Uint8Array) checksum = (checksum + output[output.length >> 1]!) | 0;
  else lastObject = output;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many times as fast the first is as the second: the median over rounds, so that what disturbs a round cancels out. */
export function speedRatio(row: Row, other: Row): number {
  return median(row.rounds.map((time, round) => other.rounds[round]! / time));
}
