import { isCanonicalDecimal } from "../base/decimal.js";
import { type Position, positionCount, unpackPosition } from "../base/position.js";
import { type Facts, Strings } from "./facts.js";
import type { IssueLog } from "./issue-log.js";
import { ANY, type HintNode, type HintNodeDraft, itemNode, memberNode, type Selection, scalarKey } from "./node.js";
import type { StepBudget } from "./step-budget.js";
import { atomsOf, type Conjunction, type Terms, type Union, unionOf } from "./terms.js";

/** Most sets of surviving branches that one selection tells apart. */
const mostStates = 256;
/** Most members that one selection asks for; each costs something for every object. */
const mostTests = 32;

/** What is asked about the branches of a union while a selection is compiled. */
export interface UnionReader {
  node(terms: Terms): HintNode;
  memberNames(terms: Terms): ReadonlySet<string>;
  canHoldObject(branch: Conjunction): boolean;
  /** What a branch says about one of its members; undefined where it allows none. */
  memberFacts(branch: Conjunction, name: string): Facts | undefined;
}

/** A branch of one of the unions of a position, under its number. */
interface Candidate {
  readonly union: number;
  readonly branch: Conjunction;
}

/** For one member: which candidates each listed value rules out. Class 0 stands for every value that is not listed. */
interface Test {
  readonly key: string;
  readonly classOf: Map<string, number>;
  readonly survivors: ReadonlySet<number>[];
}

/**
 * Compile the choice between the branches of the unions at a position: each member with `const` or `enum` rules out the
 * branches that its value contradicts. Undefined where no member tells branches apart.
 */
export function findSelection(
  terms: Terms,
  graph: UnionReader,
  budget: StepBudget,
  log: IssueLog,
): Selection | undefined {
  const candidates = terms.unions.flatMap(({ branches }, union): Candidate[] =>
    branches.length < 2 ? [] : branches.map((branch) => ({ union, branch })),
  );
  if (candidates.filter(({ branch }) => graph.canHoldObject(branch)).length < 2) return undefined;
  const tests = findTests(terms, candidates, graph, budget);
  if (tests.length === 0) return undefined;
  const states = tests.length > mostTests ? undefined : exploreStates(candidates, tests, budget);
  if (states === undefined) {
    log.add("too_large", atomsOf(terms)[0]?.place.pointer ?? "", "too many ways to tell the branches of a union apart");
    return undefined;
  }
  return {
    keys: tests.map((test) => test.key),
    classes: tests.map((test) => test.classOf),
    next: states.next,
    nodes: states.survivors.map((survivors) => graph.node(restrict(terms, candidates, survivors))),
  };
}

function findTests(terms: Terms, candidates: readonly Candidate[], graph: UnionReader, budget: StepBudget): Test[] {
  const tests: Test[] = [];
  for (const key of graph.memberNames(terms)) {
    if (!budget.take(candidates.length)) return [];
    const allowed = candidates.map(({ branch }) => graph.memberFacts(branch, key));
    if (allowed.every((facts) => facts?.scalars === undefined)) continue;
    const open = allowed.flatMap((facts, i) => (facts?.scalars === undefined ? [i] : []));
    const byValue = new Map<string, Set<number>>();
    for (const [i, facts] of allowed.entries()) {
      for (const valueKey of facts === undefined ? [] : scalarKeysOf(facts)) {
        if (!byValue.has(valueKey)) {
          if (!budget.take(open.length + 1)) return [];
          byValue.set(valueKey, new Set(open));
        }
        byValue.get(valueKey)?.add(i);
      }
    }
    tests.push(groupValues(key, byValue, new Set(open)));
  }
  return tests;
}

/**
 * The listed values, in each form that stands for them: a wide integer travels in a Struct as its digits, and an integer is
 * taken where digits are expected.
 */
function scalarKeysOf(facts: Facts): ReadonlySet<string> {
  const keys = new Set<string>();
  const isWide = facts.width === "wide";
  for (const value of facts.scalars ?? []) {
    keys.add(scalarKey(value));
    if (typeof value === "string") {
      if (facts.strings === Strings.decimal && isCanonicalDecimal(value)) keys.add(scalarKey(BigInt(value)));
    } else if (isWide && (typeof value === "bigint" || Number.isInteger(value))) {
      const spelled = String(Number(value));
      keys.add(`"${scalarKey(value)}`);
      if (isCanonicalDecimal(spelled)) keys.add(`"${spelled}`);
    }
  }
  return keys;
}

/** Values that rule out the same branches are one class. */
function groupValues(key: string, byValue: ReadonlyMap<string, ReadonlySet<number>>, open: ReadonlySet<number>): Test {
  const survivors: ReadonlySet<number>[] = [open];
  const classBySurvivors = new Map([[setKey(open), 0]]);
  const classOf = new Map<string, number>();
  for (const [value, set] of byValue) {
    const id = setKey(set);
    if (!classBySurvivors.has(id)) {
      classBySurvivors.set(id, survivors.length);
      survivors.push(set);
    }
    classOf.set(value, classBySurvivors.get(id) as number);
  }
  return { key, classOf, survivors };
}

interface States {
  readonly survivors: readonly ReadonlySet<number>[];
  readonly next: readonly Int32Array[];
}

/** All sets of branches that can survive, and how each value of each test leads from one to another. */
function exploreStates(
  candidates: readonly Candidate[],
  tests: readonly Test[],
  budget: StepBudget,
): States | undefined {
  const all = new Set(candidates.keys());
  const survivors: ReadonlySet<number>[] = [all];
  const known = new Map([[setKey(all), 0]]);
  const rows: number[][] = tests.map(() => []);
  for (let state = 0; state < survivors.length; state++) {
    if (survivors.length > mostStates) return undefined;
    const steps = tests.reduce((sum, test) => sum + test.survivors.length, 0) * (survivors[state]?.size ?? 0);
    if (!budget.take(steps)) return undefined;
    tests.forEach((test, t) => {
      test.survivors.forEach((allowed, valueClass) => {
        const left = new Set([...(survivors[state] as ReadonlySet<number>)].filter((i) => allowed.has(i)));
        const id = setKey(left);
        if (!known.has(id)) {
          known.set(id, survivors.length);
          survivors.push(left);
        }
        (rows[t] as number[])[state * test.survivors.length + valueClass] = known.get(id) as number;
      });
    });
  }
  return { survivors, next: rows.map((row) => Int32Array.from(row)) };
}

/** The terms with each union cut down to its surviving branches, or whole where none survives. */
function restrict(terms: Terms, candidates: readonly Candidate[], survivors: ReadonlySet<number>): Terms {
  const left = new Map<number, Conjunction[]>();
  for (const i of survivors) {
    const { union, branch } = candidates[i] as Candidate;
    left.set(union, [...(left.get(union) ?? []), branch]);
  }
  const unions = terms.unions.map((union, i): Union => {
    const branches = left.get(i);
    return branches === undefined ? union : unionOf(branches);
  });
  return { unions, narrowing: terms.narrowing };
}

function setKey(set: ReadonlySet<number>): string {
  return [...set].sort((a, b) => a - b).join(",");
}

/** Most pairs of nodes compared for one selection; beyond it the selection is kept, which is always right. */
const mostPairs = 50_000;

/** Pairs of nodes that no document can tell apart. */
type Pairs = Map<HintNode, Set<HintNode>>;

/** Drop the selections that never change an answer, which is nearly all of them in real schemas. */
export function pruneSelections(nodes: readonly HintNodeDraft[], budget: StepBudget): void {
  const proven: Pairs = new Map();
  const idle = nodes.filter((node) => node.selection !== undefined && isIdle(node, node.selection, proven, budget));
  for (const node of idle) node.selection = undefined;
}

/** Whether all that a selection chooses between answers alike: the greatest relation that holds is looked for. */
function isIdle(node: HintNode, selection: Selection, proven: Pairs, budget: StepBudget): boolean {
  const assumed: Pairs = new Map();
  const pending: [a: HintNode, b: HintNode][] = selection.nodes.map((target) => [node, target]);
  for (let pair = pending.pop(), count = 0; pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b || proven.get(a)?.has(b) || assumed.get(a)?.has(b)) continue;
    if (++count > mostPairs || !budget.take(1) || behaviour(a.position) !== behaviour(b.position)) return false;
    if (!pushChildren(a, b, pending)) return false;
    // A selection below may choose anything it has.
    for (const target of a.selection?.nodes ?? []) pending.push([target, b]);
    for (const target of b.selection?.nodes ?? []) pending.push([a, target]);
    addPair(assumed, a, b);
  }
  for (const [a, others] of assumed) for (const b of others) addPair(proven, a, b);
  return true;
}

function addPair(pairs: Pairs, a: HintNode, b: HintNode): void {
  const others = pairs.get(a);
  if (others === undefined) pairs.set(a, new Set([b]));
  else others.add(b);
}

/** List the pairs of children to compare; false where the two sort their members in different ways. */
function pushChildren(a: HintNode, b: HintNode, pending: [HintNode, HintNode][]): boolean {
  if (!pushPatterns(a, b, pending)) return false;
  for (const name of a.memberNames) pending.push([memberNode(a, name), memberNode(b, name)]);
  for (const name of b.memberNames) if (!a.members.has(name)) pending.push([memberNode(a, name), memberNode(b, name)]);
  pending.push([a.otherMembers, b.otherMembers], [a.otherItems, b.otherItems]);
  const longest = Math.max(a.prefixItems.length, b.prefixItems.length);
  for (let i = 0; i < longest; i++) pending.push([itemNode(a, i), itemNode(b, i)]);
  return true;
}

function pushPatterns(a: HintNode, b: HintNode, pending: [HintNode, HintNode][]): boolean {
  const [left, right] = [a.patterns, b.patterns];
  if (left === undefined || right === undefined) return left === right;
  const isSame =
    left.matchers.length === right.matchers.length && left.matchers.every((m, i) => m === right.matchers[i]);
  if (!isSame) return false;
  for (const [mask, node] of left.nodes) pending.push([node, right.nodes.get(mask) ?? ANY]);
  return true;
}

/** Positions that every rule treats alike are one: nothing is ever done where no integer is expected. */
function behaviour(position: Position): string {
  return behaviours[position] as string;
}

const behaviours: readonly string[] = Array.from({ length: positionCount }, (_, position) => {
  const { number, width, string, range } = unpackPosition(position);
  if (number === "integer") return [number, width, string, range].join();
  if (string === "decimal") return number === "none" ? [number, string, width, range].join() : `${number},${string}`;
  if (number === "number") return string === "none" ? "number,none" : "number";
  return "other";
});
