import { childPointer } from "../base/pointer.js";
import { type Position, packPosition } from "../base/position.js";
import { type Child, ChildReader, type PatternMatcher } from "./children.js";
import { type ExactOption, promoteFacts } from "./exact.js";
import type { Expander } from "./expand.js";
import {
  answersOf,
  type Facts,
  intersectFacts,
  Kind,
  noFacts,
  saysNothing,
  uniteFacts,
  unmentionedFacts,
} from "./facts.js";
import type { IssueLog } from "./issue-log.js";
import { ANY, createNode, type HintNode, type HintNodeDraft, type PatternTable } from "./node.js";
import { findSelection, pruneSelections, type UnionReader } from "./select.js";
import type { StepBudget } from "./step-budget.js";
import { type Atom, atomsOf, type Conjunction, type Terms, termsKey, type Union } from "./terms.js";

/** The position of no information. */
const noAnswers: Position = 0;

/** Patterns of one object whose every combination gets a node; beyond it, only those of up to two. */
const fewPatterns = 5;
const mostPatterns = 30;

/** A node under construction and the terms it stands for. */
interface Entry extends GraphEntry {
  readonly node: HintNodeDraft;
}

/** A node and the combination of schemas that it stands for. */
export interface GraphEntry {
  readonly node: HintNode;
  readonly terms: Terms;
}

/**
 * Builds the graph of nodes breadth first. A node stands for the combination of all schemas that hold at a position, so
 * that one combination is one node and a conversion never visits branches.
 */
export class GraphBuilder implements UnionReader {
  readonly #entries = new Map<string, Entry>();
  readonly #pending: Entry[] = [];
  readonly #itemEdges: [parent: Terms, child: Terms][] = [];
  readonly #expander: Expander;
  readonly #log: IssueLog;
  readonly #budget: StepBudget;
  readonly #mostNodes: number;
  readonly #children: ChildReader;
  readonly #ownFacts = new Map<Conjunction, Facts>();
  readonly #matchesForeign: boolean;

  constructor(expander: Expander, log: IssueLog, budget: StepBudget, mostNodes: number, makeTest?: PatternMatcher) {
    this.#expander = expander;
    this.#log = log;
    this.#mostNodes = mostNodes;
    this.#matchesForeign = makeTest !== undefined;
    this.#budget = budget;
    this.#children = new ChildReader(expander, log, (branch) => this.#kindsOf(branch), budget, makeTest);
  }

  build(root: Terms, exact: ExactOption): HintNode {
    const node = this.node(root);
    for (let i = 0; i < this.#pending.length; i++) this.#fill(this.#pending[i] as Entry);
    // Selections come last: where they are too many, no position has lost its node to them.
    const natural = this.#pending.length;
    for (let i = 0; i < this.#pending.length; i++) {
      const entry = this.#pending[i] as Entry;
      if (i >= natural) this.#fill(entry);
      entry.node.selection = findSelection(entry.terms, this, this.#budget, this.#log);
    }
    this.#spreadNames();
    const meant = reachableNodes(node);
    for (const entry of this.#pending) this.#answer(entry, exact, meant.has(entry.node));
    pruneSelections(
      this.#pending.map((entry) => entry.node),
      this.#budget,
    );
    return node;
  }

  /** Every node of the graph that was built. */
  get entries(): readonly GraphEntry[] {
    return this.#pending;
  }

  /** The node of a combination, if it has one. */
  find(terms: Terms): HintNode | undefined {
    return this.#entries.get(termsKey(terms))?.node;
  }

  /** The node of a combination, made at its first mention. */
  node(terms: Terms): HintNode {
    if (isEmpty(terms)) return ANY;
    const key = termsKey(terms);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.node;
    if (this.#isFull()) return ANY;
    const entry = { node: createNode(0, ANY), terms };
    this.#entries.set(key, entry);
    this.#pending.push(entry);
    return entry.node;
  }

  /** Whether no further node may be made; then there is an issue. */
  #isFull(): boolean {
    if (this.#entries.size < this.#mostNodes) return false;
    this.#log.add("too_large", "", `schema needs more than ${this.#mostNodes} hint nodes`);
    return true;
  }

  #fill({ node, terms }: Entry): void {
    const atoms = atomsOf(terms);
    if (!atoms.some((atom) => atom.holdsChildren)) return;
    this.#fillMembers(node, terms, atoms);
    const lengths = atoms.map((atom) => this.#children.prefixLength(atom));
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    const items: HintNode[] = [];
    for (let index = 0; index < longest; index++) items.push(this.#itemNode(terms, index));
    node.prefixItems = items;
    node.otherItems = this.#itemNode(terms, longest);
  }

  #itemNode(terms: Terms, index: number): HintNode {
    const child = this.#children.childTerms(terms, { kind: "item", index });
    if (isEmpty(child)) return ANY;
    // The items of `ids` are ids.
    this.#itemEdges.push([terms, child]);
    return this.node(child);
  }

  #fillMembers(node: HintNodeDraft, terms: Terms, atoms: readonly Atom[]): void {
    const nodes = new Map<string, HintNode>();
    for (const name of this.memberNames(terms)) {
      if (this.#isFull()) {
        nodes.set(name, ANY);
        continue;
      }
      const child = this.#children.childTerms(terms, { kind: "member", name });
      for (const atom of atomsOf(child)) addName(atom, name);
      nodes.set(name, this.node(child));
    }
    node.members = nodes;
    node.memberNames = [...nodes.keys()];
    node.memberNodes = [...nodes.values()];
    node.otherMembers = this.#otherNode(terms, []);
    node.patterns = this.#patternTable(terms, atoms);
  }

  #otherNode(terms: Terms, matched: readonly string[]): HintNode {
    const child: Child = { kind: "otherMember", matched: new Set(matched) };
    return this.node(this.#children.childTerms(terms, child));
  }

  /** Nodes of undeclared members for each combination of patterns that they may match. */
  #patternTable(terms: Terms, atoms: readonly Atom[]): PatternTable | undefined {
    const tests = new Map<string, (key: string) => boolean>();
    for (const pattern of atoms.flatMap((atom) => this.#children.patternsOf(atom))) {
      if (pattern.test !== undefined && pattern.names === undefined) tests.set(pattern.source, pattern.test);
    }
    if (tests.size === 0) return undefined;
    const pointer = atoms[0]?.place.pointer ?? "";
    if (tests.size > mostPatterns) {
      this.#log.add("too_large", childPointer(pointer, "patternProperties"), `more than ${mostPatterns} patterns`);
      return { matchers: [() => true], sources: [""], isForeign: false, nodes: new Map() };
    }
    const sources = [...tests.keys()];
    const nodes = new Map<number, HintNode>();
    for (const mask of patternMasks(sources.length)) {
      const matched = sources.filter((_, i) => (mask & (1 << i)) !== 0);
      nodes.set(mask, this.#otherNode(terms, matched));
    }
    return { matchers: [...tests.values()], sources, isForeign: this.#matchesForeign, nodes };
  }

  /** Facts without promotions: only their kinds are asked for while the graph is built. */
  #kindsOf(branch: Conjunction): Facts {
    let facts = this.#ownFacts.get(branch);
    if (facts === undefined) {
      facts = intersectFacts(branch.map((atom) => atom.own));
      if (facts.kinds === 0) facts = noFacts;
      this.#ownFacts.set(branch, facts);
    }
    return facts;
  }

  /** What a branch says about one of its members; undefined where it allows none. */
  memberFacts(branch: Conjunction, name: string): Facts | undefined {
    const terms = this.#children.branchTerms(branch, { kind: "member", name });
    return terms === undefined ? undefined : factsOfUnions(terms.unions, (atoms) => this.#kindsOf(atoms));
  }

  /** Names that `properties` declares at a position, in any branch. */
  memberNames(terms: Terms): ReadonlySet<string> {
    return new Set(atomsOf(terms).flatMap((atom) => this.#children.namesOf(atom)));
  }

  canHoldObject(branch: Conjunction): boolean {
    return (this.#kindsOf(branch).kinds & Kind.object) !== 0;
  }

  /** Items have the names of the array that they are in. A name goes along each edge once. */
  #spreadNames(): void {
    const itemsOf = new Map<Atom, (readonly Atom[])[]>();
    for (const [parent, child] of this.#itemEdges) {
      const items = atomsOf(child);
      for (const atom of atomsOf(parent)) {
        const known = itemsOf.get(atom);
        if (known === undefined) itemsOf.set(atom, [items]);
        else known.push(items);
      }
    }
    const pending: [atom: Atom, name: string][] = [];
    for (const atom of itemsOf.keys()) for (const name of atom.names) pending.push([atom, name]);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [atom, name] = next;
      for (const items of itemsOf.get(atom) ?? []) {
        if (!this.#budget.take(items.length)) return;
        for (const item of items) if (addName(item, name)) pending.push([item, name]);
      }
    }
  }

  /** Settle the answers of a node. A combination that no document is known to reach may contradict itself unreported. */
  #answer({ node, terms }: Entry, exact: ExactOption, isMeant: boolean): void {
    const report = (atom: Atom | undefined): void => {
      if (isMeant) this.#log.add("contradiction", atom?.place.pointer ?? "", "no value fits all schemas that apply");
    };
    const atoms = atomsOf(terms);
    node.schemaPointers = atoms.map((atom) => atom.place.pointer);
    if (!this.#budget.take(terms.unions.reduce((sum, { branches }) => sum + branches.length, atoms.length))) return;
    node.position = this.positionOf(terms, exact, report);
  }

  /** The answers where these terms hold. What contradicts itself is reported and says nothing. */
  positionOf(terms: Terms, exact: ExactOption, report: (atom: Atom | undefined) => void): Position {
    const promoted = (atom: Atom): Facts =>
      atom === this.#expander.unmentioned ? unmentionedFacts : promoteFacts(atom, exact);
    const factsOf = (branch: Conjunction): Facts => {
      const facts = intersectFacts(branch.map(promoted));
      if (facts.kinds !== 0) return facts;
      report(branch[0]);
      return noFacts;
    };
    const strong = factsOfUnions(terms.unions, factsOf);
    const facts = saysNothing(strong) ? factsOfUnions(terms.narrowing, factsOf) : strong;
    if (facts.kinds !== 0) return packPosition(answersOf(facts));
    report(atomsOf(terms)[0]);
    return noAnswers;
  }
}

/**
 * Nodes that a document can reach for certain: not those of several patterns that may never match one key, nor those of
 * branches chosen together.
 */
function reachableNodes(root: HintNode): ReadonlySet<HintNode> {
  const reached = new Set([root]);
  for (const node of reached) {
    for (const child of [...node.memberNodes, node.otherMembers, ...node.prefixItems, node.otherItems])
      reached.add(child);
    for (const [mask, child] of node.patterns?.nodes ?? []) if ((mask & (mask - 1)) === 0) reached.add(child);
  }
  return reached;
}

function isEmpty(terms: Terms): boolean {
  return terms.unions.length === 0 && terms.narrowing.length === 0;
}

function factsOfUnions(unions: readonly Union[], factsOf: (branch: Conjunction) => Facts): Facts {
  return intersectFacts(unions.map(({ branches }) => uniteFacts(branches.map(factsOf))));
}

/** Most property names remembered for one schema: enough for a name table, bounded for a shared definition. */
const mostNames = 100;

function addName(atom: Atom, name: string): boolean {
  if (atom.names.has(name) || atom.names.size >= mostNames || atom.id < 0) return false;
  atom.names.add(name);
  return true;
}

function patternMasks(count: number): number[] {
  if (count <= fewPatterns) return Array.from({ length: 1 << count }, (_, mask) => mask);
  const masks = [0];
  for (let i = 0; i < count; i++) {
    masks.push(1 << i);
    for (let j = 0; j < i; j++) masks.push((1 << i) | (1 << j));
  }
  return masks;
}
