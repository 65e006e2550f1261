import { writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isSource, runBundled } from "./bundle.js";
import { makePayload } from "./fixtures.js";
import { fullEffort, makeRunners, runFor, warmMixed } from "./harness.js";
import { codecName, hasDirection, scenarios } from "./scenarios.js";

const usage = `usage: npm run profile -- SCENARIO [CANDIDATE]

  SCENARIO     as "toJson/medium"; npm run bench -- --list names them all
  CANDIDATE    whom to look at; "${codecName}" without`;

const seconds = 3;
const shownFunctions = 25;

function main([name, candidate = codecName]: string[]): void {
  const scenario = scenarios.find((known) => known.name === name);
  if (scenario === undefined) throw new Error(usage);
  if (!hasDirection(scenario.direction)) throw new Error(`this revision has no ${scenario.direction}`);
  const [runner] = makeRunners(scenario.direction, makePayload(scenario.payload), [candidate]);
  if (runner === undefined) throw new Error(`${scenario.name} has no candidate ${candidate}`);
  warmMixed([scenario.direction], fullEffort, [candidate]);
  runFor(runner, 1000);
  const profile = record(() => runFor(runner, seconds * 1000));
  console.log(`${scenario.name}, ${candidate}: self time of ${seconds} s\n${formatTop(profile)}`);
  const file = join(tmpdir(), `${scenario.name.replace("/", "-")}-${process.pid}.cpuprofile`);
  writeFileSync(file, JSON.stringify(profile));
  console.log(`\n${file}`);
}

/** The inspector of the own process answers at once, so no callback outlives this call. */
function record(work: () => void): Profiler.Profile {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 200 });
  session.post("Profiler.start");
  work();
  let profile: Profiler.Profile | undefined;
  session.post("Profiler.stop", (_, result) => {
    profile = result.profile;
  });
  session.disconnect();
  if (profile === undefined) throw new Error("the inspector gave no profile");
  return profile;
}

function formatTop({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, describeFunction(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? "";
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]!);
  }
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  const top = [...times].sort(([, left], [, right]) => right - left).slice(0, shownFunctions);
  return top.map(([name, time]) => `${((100 * time) / total).toFixed(1).padStart(6)} %  ${name}`).join("\n");
}

function describeFunction({ functionName, url, lineNumber }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  const place = url === "" ? "" : `  ${basename(url)}:${lineNumber + 1}`;
  return `${functionName || "(anonymous)"}${place}`;
}

const args = process.argv.slice(2);
if (isSource(import.meta.url)) process.exitCode = await runBundled("profile", args);
else main(args);
