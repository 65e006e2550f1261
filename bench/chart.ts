import { compareWith, findFastestPeer, findRow } from "./bars.js";
import { type ScenarioResult, speedRatio } from "./harness.js";
import { referenceName } from "./peers.js";
import { findNative, round } from "./report.js";
import { directions } from "./scenarios.js";

const width = 860;
const left = 190;
const right = 90;
const barHeight = 16;
const rowHeight = 26;
const groupGap = 34;
const top = 64;

// The picture brings its own background: a page may be dark where the reader's system is light.
const style = `
  .page { fill: #ffffff } .ink { fill: #1f2328 } .dim { fill: #59636e } .grid { stroke: #d1d9e0 }
  .codec { fill: #0969da } .peer { fill: #8c959f } .native { stroke: #bc4c00 }
  text { font: 13px system-ui, sans-serif } .title { font-weight: 600; font-size: 16px } .group { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .ink { fill: #f0f6fc } .dim { fill: #9198a1 } .grid { stroke: #3d444d }
    .codec { fill: #4493f8 } .peer { fill: #656c76 } .native { stroke: #f0883e }
  }`;

interface Line {
  readonly payload: string;
  readonly codec: number;
  readonly peer: { readonly name: string; readonly ratio: number } | undefined;
  readonly native: { readonly name: string; readonly ratio: number } | undefined;
}

/** Bars of the codec, thin bars of the fastest peer and ticks of native JSON, all in times as fast as protobuf-es. */
export function drawChart(results: readonly ScenarioResult[], caption: string): string {
  const groups = directions.map((direction) => ({
    direction,
    lines: results.filter((r) => r.direction === direction).flatMap(readLine),
  }));
  const shown = groups.filter(({ lines }) => lines.length > 0);
  const highest = Math.max(
    1,
    ...shown.flatMap(({ lines }) =>
      lines.flatMap(({ codec, peer, native }) => [codec, peer?.ratio ?? 0, native?.ratio ?? 0]),
    ),
  );
  const scale = (ratio: number) => left + (ratio / highest) * (width - left - right);
  let y = top;
  const parts: string[] = [];
  for (const { direction, lines } of shown) {
    y += groupGap;
    parts.push(text(16, y - 8, "ink group", direction));
    for (const line of lines) {
      parts.push(drawLine(line, y, scale));
      y += rowHeight;
    }
  }
  const height = y + 24;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>Times as fast as ${referenceName}</title><style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    text(16, 28, "ink title", `Times as fast as ${referenceName}; longer is faster`),
    text(16, 48, "dim", caption),
    drawLegend(),
    ...drawGrid(highest, scale, top + 8, y),
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function readLine(result: ScenarioResult): Line[] {
  const codec = compareWith(result, "protobuf-es");
  const reference = findRow(result, referenceName);
  if (codec === undefined || reference === undefined) return [];
  const rate = (row: ReturnType<typeof findRow>) =>
    row === undefined ? undefined : { name: row.candidate, ratio: speedRatio(row, reference) };
  return [{ payload: result.payload, codec, peer: rate(findFastestPeer(result)), native: rate(findNative(result)) }];
}

function drawLine({ payload, codec, peer, native }: Line, y: number, scale: (ratio: number) => number): string {
  const parts = [
    text(left - 10, y + 13, "ink", payload, "end"),
    `<rect class="codec" x="${left}" y="${y}" width="${fix(scale(codec) - left)}" height="${barHeight - 5}" rx="2"/>`,
  ];
  if (peer !== undefined) {
    const title = `<title>${peer.name}: ${round(peer.ratio)}</title>`;
    const box = `x="${left}" y="${y + barHeight - 4}" width="${fix(scale(peer.ratio) - left)}" height="4"`;
    parts.push(`<rect class="peer" ${box}>${title}</rect>`);
  }
  if (native !== undefined) {
    const x = fix(scale(native.ratio));
    const title = `<title>${native.name}: ${round(native.ratio)}</title>`;
    parts.push(
      `<line class="native" stroke-width="3" x1="${x}" x2="${x}" y1="${y - 3}" y2="${y + barHeight + 1}">${title}</line>`,
    );
  }
  const end = Math.max(scale(codec), native === undefined ? 0 : scale(native.ratio));
  parts.push(text(end + 8, y + 12, "ink", `${round(codec)}×`));
  return parts.join("");
}

function drawLegend(): string {
  const x = width - 400;
  return [
    `<rect class="codec" x="${x}" y="18" width="20" height="11" rx="2"/>`,
    text(x + 26, 28, "ink", "this codec"),
    `<rect class="peer" x="${x + 108}" y="22" width="20" height="4"/>`,
    text(x + 134, 28, "ink", "fastest other peer"),
    `<line class="native" stroke-width="3" x1="${x + 266}" x2="${x + 266}" y1="15" y2="32"/>`,
    text(x + 274, 28, "ink", "native JSON"),
  ].join("");
}

function drawGrid(highest: number, scale: (ratio: number) => number, from: number, to: number): string[] {
  const step = [0.5, 1, 2, 5, 10, 20, 50].find((size) => highest / size <= 8) ?? 100;
  const marks = Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step);
  return marks.map((mark) => {
    const x = fix(scale(mark));
    return `<line class="grid" x1="${x}" x2="${x}" y1="${from}" y2="${to}"/>${text(Number(x), to + 16, "dim", `${mark}×`, "middle")}`;
  });
}

function text(x: number, y: number, name: string, content: string, anchor = "start"): string {
  const escaped = content.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<text class="${name}" x="${fix(x)}" y="${fix(y)}" text-anchor="${anchor}">${escaped}</text>`;
}

function fix(value: number): string {
  return String(Math.round(value * 10) / 10);
}
