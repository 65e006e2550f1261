import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { judge, judgeCorpus } from "./bars.js";
import { isSource, runBundled } from "./bundle.js";
import { drawChart } from "./chart.js";
import { makePayload, type Payload } from "./fixtures.js";
import { type Effort, fullEffort, measure, quickEffort, readSink, type ScenarioResult, warmMixed } from "./harness.js";
import { type CorpusResult, type CorpusScenario, corpusScenarios, hasCorpus, measureCorpus } from "./measure-corpus.js";
import { type Measured, measureInProcesses } from "./processes.js";
import { formatCorpus, formatMarkdown, formatScenario, formatVerdicts } from "./report.js";
import { describeMachine, runtime } from "./runtime.js";
import { hasDirection, type Scenario, scenarios } from "./scenarios.js";

const usage = `usage: npm run bench -- [REGEX] [options]

  REGEX            which scenarios, as in '^toJson/' or 'binary.*/(small|medium)'; all without
  --quick          fewer rounds, and without the document of 18 MB
  --processes N    repeat it in N processes and judge all of their rounds
  --only NAMES     candidates to measure, with commas between them
  --json FILE      write what was measured
  --svg FILE       write the chart of the README
  --markdown       print the table of the README
  --list           print the names of the scenarios`;

interface Options {
  readonly selected: RegExp;
  readonly quick: boolean;
  readonly processes: number;
  readonly only: readonly string[];
  readonly json: string | undefined;
  readonly svg: string | undefined;
  readonly markdown: boolean;
  readonly list: boolean;
}

function readOptions(args: string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      processes: { type: "string", default: "1" },
      only: { type: "string" },
      json: { type: "string" },
      svg: { type: "string" },
      markdown: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || positionals.length > 1) return undefined;
  return {
    selected: new RegExp(positionals[0] ?? ""),
    quick: values.quick,
    processes: Number(values.processes),
    only: values.only?.split(",") ?? [],
    json: values.json,
    svg: values.svg,
    markdown: values.markdown,
    list: values.list,
  };
}

function main(args: string[]): void {
  const options = readOptions(args);
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const chosen = scenarios.filter(
    ({ name, payload }) => options.selected.test(name) && !(options.quick && payload === "huge"),
  );
  const chosenCorpus = corpusScenarios.filter((name) => options.selected.test(name));
  if (options.list) {
    for (const name of [...chosen.map((scenario) => scenario.name), ...chosenCorpus]) console.log(name);
    return;
  }
  console.log(`${runtime.name}, ${runtime.clock}; ${describeMachine()}\n`);
  const present = dropMissing(chosen);
  if (chosenCorpus.length > 0 && !hasCorpus())
    console.log(`${chosenCorpus.join(", ")}: skipped, ../shared/corpus/tool-schemas is not there\n`);
  const effort = options.quick ? quickEffort : fullEffort;
  const { results, corpus } =
    options.processes > 1
      ? measureRepeatedly(options)
      : { results: measureAll(present, effort, options.only), corpus: measureAllCorpus(chosenCorpus, effort) };
  printVerdicts(results, corpus);
  if (options.markdown) console.log(`\n${formatMarkdown(results, corpus)}`);
  writeFiles(options, results, corpus);
  console.log(`\n${runtime.name}, ${runtime.clock}; ${describeMachine()}`);
  if (readSink() === undefined) console.log();
}

function dropMissing(chosen: readonly Scenario[]): Scenario[] {
  const missing = new Set(chosen.map(({ direction }) => direction).filter((direction) => !hasDirection(direction)));
  for (const { name, direction } of chosen) {
    if (missing.has(direction)) console.log(`${name}: skipped, this revision has no ${direction}`);
  }
  return chosen.filter(({ direction }) => !missing.has(direction));
}

function measureAll(chosen: readonly Scenario[], effort: Effort, only: readonly string[]): ScenarioResult[] {
  warmMixed([...new Set(chosen.map(({ direction }) => direction))], effort, only);
  let payload: Payload | undefined;
  return chosen.map((scenario) => {
    // One at a time: what lies around makes collecting garbage slower for all.
    if (payload?.name !== scenario.payload) payload = makePayload(scenario.payload);
    const result = measure(scenario, payload, effort, only);
    console.log(`${formatScenario(result)}\n`);
    return result;
  });
}

function measureRepeatedly({ processes, selected, quick, only }: Options): Measured {
  const args = [selected.source, ...(quick ? ["--quick"] : []), ...(only.length > 0 ? ["--only", only.join()] : [])];
  const measured = measureInProcesses(processes, args);
  for (const result of measured.results) console.log(`${formatScenario(result)}\n`);
  for (const result of measured.corpus) console.log(`${formatCorpus(result)}\n`);
  return measured;
}

function measureAllCorpus(chosen: readonly CorpusScenario[], effort: Effort): CorpusResult[] {
  return chosen.flatMap((scenario) => {
    const result = measureCorpus(scenario, effort.rounds);
    if (result === undefined) return [];
    console.log(`${formatCorpus(result)}\n`);
    return [result];
  });
}

function printVerdicts(results: readonly ScenarioResult[], corpus: readonly CorpusResult[]): void {
  if (runtime.nodeMajor === undefined) {
    console.log("Bars: set for Node, not judged here");
    return;
  }
  const verdicts = [...judge(results, runtime.nodeMajor), ...corpus.map(judgeCorpus)];
  if (verdicts.length > 0) console.log(formatVerdicts(verdicts));
}

function writeFiles(options: Options, results: readonly ScenarioResult[], corpus: readonly CorpusResult[]): void {
  const { json, svg } = options;
  const facts = { runtime: runtime.name, clock: runtime.clock, machine: describeMachine() };
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ ...facts, results, corpus }, undefined, 1)}\n`);
  if (svg !== undefined) writeFileSync(svg, drawChart(results, `${runtime.name}, ${runtime.clock}, npm run bench`));
}

const args = process.argv.slice(2);
if (isSource(import.meta.url)) process.exitCode = await runBundled("bench", args);
else main(args);
