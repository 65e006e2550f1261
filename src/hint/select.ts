import { type Position, unpackPosition } from "../base/position.js";
import type { Facts } from "./facts.js";
import type { IssueLog } from "./issue-log.js";
import { ANY, type HintNode, type HintNodeDraft, type Selection, scalarKey } from "./node.js";
import { atomsOf, type Conjunction, type Terms, type Union, unionOf } from "./terms.js";

/** Most sets of surviving branches that one selection tells apart. */
const mostStates = 256;

/** What is asked about the branches of a union while a selection is compiled. */
export interface UnionReader {
  node(terms: Terms): HintNode;
  memberNames(terms: Terms): ReadonlySet<string>;
  canHoldObject(branch: Conjunction): boolean;
  memberScalars(branch: Conjunction, name: string): Facts["scalars"];
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
export function findSelection(terms: Terms, graph: UnionReader, log: IssueLog): Selection | undefined {
  const candidates = terms.unions.flatMap(({ branches }, union): Candidate[] =>
    branches.length < 2 ? [] : branches.map((branch) => ({ union, branch })),
  );
  if (candidates.filter(({ branch }) => graph.canHoldObject(branch)).length < 2) return undefined;
  const tests = findTests(terms, candidates, graph);
  if (tests.length === 0) return undefined;
  const states = exploreStates(candidates, tests);
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

function findTests(terms: Terms, candidates: readonly Candidate[], graph: UnionReader): Test[] {
  const tests: Test[] = [];
  for (const key of graph.memberNames(terms)) {
    const allowed = candidates.map(({ branch }) => graph.memberScalars(branch, key));
    if (allowed.every((scalars) => scalars === undefined)) continue;
    const open = allowed.flatMap((scalars, i) => (scalars === undefined ? [i] : []));
    const byValue = new Map<string, Set<number>>();
    allowed.forEach((scalars, i) => {
      for (const value of scalars ?? []) {
        const valueKey = scalarKey(value);
        if (!byValue.has(valueKey)) byValue.set(valueKey, new Set(open));
        byValue.get(valueKey)?.add(i);
      }
    });
    tests.push(groupValues(key, byValue, new Set(open)));
  }
  return tests;
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
function exploreStates(candidates: readonly Candidate[], tests: readonly Test[]): States | undefined {
  const all = new Set(candidates.keys());
  const survivors: ReadonlySet<number>[] = [all];
  const known = new Map([[setKey(all), 0]]);
  const rows: number[][] = tests.map(() => []);
  for (let state = 0; state < survivors.length; state++) {
    if (survivors.length > mostStates) return undefined;
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

/**
 * Drop the selections that never change an answer, which is nearly all of them in real schemas. Nodes are put into classes
 * that no document can tell apart (partition refinement); a selection is needed only if it leads to another class.
 */
export function pruneSelections(nodes: readonly HintNodeDraft[]): void {
  const selecting = nodes.filter((node) => node.selection !== undefined);
  if (selecting.length === 0) return;
  const needed = new Set<HintNode>();
  for (let grew = true; grew; ) {
    const classOf = classify(nodes, needed);
    const more = selecting.filter(
      (node) =>
        !needed.has(node) && node.selection?.nodes.some((target) => classOf.get(target) !== classOf.get(node)) === true,
    );
    for (const node of more) needed.add(node);
    grew = more.length > 0;
  }
  for (const node of selecting) if (!needed.has(node)) node.selection = undefined;
}

function classify(nodes: readonly HintNode[], needed: ReadonlySet<HintNode>): ReadonlyMap<HintNode, number> {
  const all = [ANY, ...nodes];
  let classOf = assignClasses(all, (node) => behaviour(node.position));
  for (let count = -1; count !== countClasses(classOf); ) {
    count = countClasses(classOf);
    const previous = classOf;
    classOf = assignClasses(all, (node) => signature(node, previous, needed));
  }
  return classOf;
}

function assignClasses(nodes: readonly HintNode[], keyOf: (node: HintNode) => string): Map<HintNode, number> {
  const ids = new Map<string, number>();
  const classOf = new Map<HintNode, number>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (!ids.has(key)) ids.set(key, ids.size);
    classOf.set(node, ids.get(key) as number);
  }
  return classOf;
}

function countClasses(classOf: ReadonlyMap<HintNode, number>): number {
  return new Set(classOf.values()).size;
}

function signature(node: HintNode, classOf: ReadonlyMap<HintNode, number>, needed: ReadonlySet<HintNode>): string {
  const other = classOf.get(node.otherMembers);
  // With patterns a declared member differs from an undeclared one of the same class.
  const members = [...node.members].filter(([, child]) => node.patterns !== undefined || classOf.get(child) !== other);
  const parts = [
    classOf.get(node),
    other,
    classOf.get(node.otherItems),
    node.prefixItems.map((item) => classOf.get(item)),
    members.map(([name, child]): [string, number | undefined] => [name, classOf.get(child)]).sort(byName),
    node.patterns === undefined ? [] : [...node.patterns.nodes].map(([mask, child]) => [mask, classOf.get(child)]),
    node.patterns === undefined ? "" : node.schemaPointers,
    needed.has(node) ? node.selection?.nodes.map((target) => classOf.get(target)) : [],
  ];
  return JSON.stringify(parts);
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Positions that every rule treats alike are one: nothing is ever done where no integer is expected. */
function behaviour(position: Position): string {
  const { number, width, string, range } = unpackPosition(position);
  if (number === "integer") return [number, width, string, range].join();
  if (string === "decimal") return number === "none" ? [number, string, width, range].join() : `${number},${string}`;
  if (number === "number") return string === "none" ? "number,none" : "number";
  return "other";
}
