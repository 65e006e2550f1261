import type { PayloadName } from "./fixtures.js";
import { median, type Row, type ScenarioResult, speedRatio } from "./harness.js";
import type { CorpusResult } from "./measure-corpus.js";
import { referenceName } from "./peers.js";
import { codecName, type Direction, hintedName } from "./scenarios.js";

/** What the codec is compared with. "peers" is the fastest peer but protobuf-es; "schema" is the codec without one. */
export type Yardstick = "protobuf-es" | "JSON.stringify" | "JSON.parse" | "peers" | "schema";

export interface Bar {
  readonly directions: readonly Direction[];
  readonly payloads: readonly PayloadName[];
  readonly yardstick: Yardstick;
  /** How many times as fast at least, on Node up to 22 and on later ones. */
  readonly least: readonly [older: number, newer: number];
}

export interface Verdict {
  readonly scenario: string;
  readonly what: string;
  readonly least: string;
  readonly measured: string;
  readonly reached: boolean;
}

const ordinary: readonly PayloadName[] = ["small", "medium", "large", "numeric", "strings"];
const bigger: readonly PayloadName[] = ["medium", "large", "numeric", "strings"];
const messageDirections: readonly Direction[] = ["toJson", "fieldToJson", "toJsonString", "fromJson", "fromJsonString"];
const toBytes: readonly Direction[] = ["binaryToJsonBytes"];
const wireToJson: readonly Direction[] = ["binaryToJsonString", "binaryToJsonBytes"];
const jsonToWire: readonly Direction[] = ["jsonStringToBinary", "jsonBytesToBinary"];
const binary: readonly Direction[] = [...wireToJson, ...jsonToWire];

export const bars: readonly Bar[] = [
  bar(["toJson", "fieldToJson"], ordinary, "protobuf-es", 1),
  bar(["fromJson"], ordinary, "protobuf-es", 3),
  bar(["toJsonString"], ["small", "medium"], "protobuf-es", 1.3),
  bar(["toJsonString"], ["large"], "protobuf-es", 1),
  bar(["fromJsonString"], ordinary, "protobuf-es", 1.3),
  bar(messageDirections, ordinary, "schema", 1 / 1.1),

  bar(["binaryToJsonString"], ["small"], "protobuf-es", 8, 10),
  bar(["binaryToJsonString"], ["medium"], "protobuf-es", 10, 13),
  bar(["binaryToJsonString"], ["large"], "protobuf-es", 14, 20),
  bar(toBytes, ["medium"], "protobuf-es", 10, 12),
  bar(toBytes, ["large"], "protobuf-es", 16, 25),
  bar(toBytes, ["huge"], "protobuf-es", 35, 45),
  bar(toBytes, ["strings"], "protobuf-es", 8, 12),
  bar(toBytes, ["numeric"], "protobuf-es", 8, 6),
  bar(jsonToWire, ["small"], "protobuf-es", 6, 7),
  bar(jsonToWire, ["medium"], "protobuf-es", 11, 14),
  bar(jsonToWire, ["large"], "protobuf-es", 14),
  bar(toBytes, ["medium", "large", "huge"], "JSON.stringify", 1.5, 1.05),
  bar(jsonToWire, ["medium", "large"], "JSON.parse", 1.5),
  bar(wireToJson, ["decimals"], "JSON.stringify", 2.5),
  bar(wireToJson, ["integers"], "JSON.stringify", 0.95),
  bar(binary, ["small"], "schema", 1 / 1.1),
  bar(binary, [...bigger, "huge"], "schema", 1 / 1.05),
  bar(binary, ["small", "medium", "large", "huge"], "peers", 4),
  bar(binary, ["numeric", "strings"], "peers", 2),
  bar(wireToJson, ["doubles"], "JSON.stringify", 0.9),
  bar(jsonToWire, ["doubles"], "JSON.parse", 1),
];

/** What is judged over the tools of the corpus, and how many milliseconds it may take. */
const corpusBars = {
  "compileHint/corpus": { what: "slowest schema", pick: (_: number, time: number) => time, most: 1 },
  "rewriteSchema/corpus": { what: "largest tool", pick: (jsonBytes: number) => jsonBytes, most: 1 },
  "auditTools/corpus": { what: "all tools", pick: () => 0, most: 1000 },
} as const;

function bar(
  directions: readonly Direction[],
  payloads: readonly PayloadName[],
  yardstick: Yardstick,
  older: number,
  newer: number = older,
): Bar {
  return { directions, payloads, yardstick, least: [older, newer] };
}

export function findRow(result: ScenarioResult, name: string): Row | undefined {
  return result.rows.find((row) => row.candidate === name);
}

/** The peer with the lowest median, protobuf-es left out. */
export function findFastestPeer(result: ScenarioResult): Row | undefined {
  const others = result.rows.filter(({ role, candidate }) => role === "peer" && candidate !== referenceName);
  return others.sort((left, right) => median(left.rounds) - median(right.rounds))[0];
}

/** How the codec stands to a yardstick in one scenario; undefined where one of the two was not measured. */
export function compareWith(result: ScenarioResult, yardstick: Yardstick): number | undefined {
  const codec = findRow(result, yardstick === "schema" ? hintedName : codecName);
  const other = findYardstick(result, yardstick);
  return codec === undefined || other === undefined ? undefined : speedRatio(codec, other);
}

function findYardstick(result: ScenarioResult, yardstick: Yardstick): Row | undefined {
  if (yardstick === "peers") return findFastestPeer(result);
  return findRow(result, yardstick === "schema" ? codecName : yardstick);
}

export function judge(results: readonly ScenarioResult[], nodeMajor: number): Verdict[] {
  return results.flatMap((result) =>
    bars
      .filter(({ directions, payloads }) => directions.includes(result.direction) && payloads.includes(result.payload))
      .flatMap((candidate) => judgeBar(candidate, result, nodeMajor) ?? []),
  );
}

function judgeBar({ yardstick, least }: Bar, result: ScenarioResult, nodeMajor: number): Verdict | undefined {
  const bound = least[nodeMajor > 22 ? 1 : 0];
  const ratio = compareWith(result, yardstick);
  if (ratio === undefined) return undefined;
  const reached = ratio >= bound;
  if (yardstick !== "schema") {
    const what = yardstick === "peers" ? `fastest peer (${findFastestPeer(result)?.candidate})` : yardstick;
    return { scenario: result.scenario, what, least: `>= ${bound}x`, measured: `${ratio.toFixed(2)}x`, reached };
  }
  const percent = (value: number) => `${Math.round((1 / value - 1) * 100)} %`;
  const what = "extra time for the schema";
  return { scenario: result.scenario, what, least: `<= ${percent(bound)}`, measured: percent(ratio), reached };
}

export function judgeCorpus({ scenario, entries }: CorpusResult): Verdict {
  const { what, pick, most } = corpusBars[scenario];
  const [judged] = [...entries].sort((a, b) => pick(b.jsonBytes, b.time) - pick(a.jsonBytes, a.time));
  const milliseconds = (judged?.time ?? 0) / 1e6;
  return {
    scenario,
    what,
    least: `<= ${most} ms`,
    measured: `${milliseconds.toFixed(3)} ms`,
    reached: milliseconds <= most,
  };
}
