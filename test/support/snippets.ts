import { readFileSync } from "node:fs";
import ts from "typescript";

/** A fenced block of a document. */
export interface Snippet {
  readonly file: string;
  /** Line of its first line in the document, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** A command of a console block and all that it prints. */
export interface ConsoleStep {
  readonly command: string;
  readonly output: string;
}

/** The fenced blocks of a document. */
export function readSnippets(file: string): Snippet[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length + 1,
    language: match[1] as string,
    text: match[2] as string,
  }));
}

/** The commands of a console block: lines after "$ ", each with what follows up to the next. */
export function readSteps({ text }: Snippet): ConsoleStep[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf("\n") + 1;
      return { command: step.slice(0, end).trim(), output: step.slice(end) };
    });
}

/**
 * Turn a snippet into the body of an async function of `require`, `check` and `checkThrows`. An expression statement with a
 * comment behind it on its line has the comment as its expectation.
 */
export function compileSnippet({ text }: Snippet): string {
  const source = ts.createSourceFile("snippet.ts", text, ts.ScriptTarget.ES2022, true);
  let code = "";
  let at = 0;
  for (const statement of source.statements) {
    const expectation = ts.isExpressionStatement(statement) ? commentBehind(text, statement.end) : undefined;
    if (expectation === undefined || !ts.isExpressionStatement(statement)) continue;
    const expression = statement.expression.getText(source);
    const thrown = /^throws (.*)$/.exec(expectation)?.[1];
    code += text.slice(at, statement.getStart(source));
    code +=
      thrown === undefined
        ? `check(await (${expression}), ${JSON.stringify(expectation)});`
        : `await checkThrows(async () => (${expression}), ${JSON.stringify(thrown)});`;
    at = statement.end;
  }
  return ts.transpileModule(code + text.slice(at), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  }).outputText;
}

function commentBehind(text: string, end: number): string | undefined {
  const [comment] = ts.getTrailingCommentRanges(text, end) ?? [];
  return comment === undefined ? undefined : text.slice(comment.pos + 2, comment.end).trim();
}

/** The packages that a snippet imports. */
export function importsOf({ text }: Snippet): string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
}

/** What the compiler has to say about snippets that stand beside the tests, each a module of its own. */
export function typeCheck(root: string, snippets: readonly Snippet[], rename: (name: string) => string): string[] {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const texts = new Map(snippets.map((snippet, i) => [`${root}/test/snippet-${i}.ts`, moduleText(snippet, rename)]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = texts.get(name);
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target, true);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].flatMap((name, i) => {
    const file = program.getSourceFile(name) as ts.SourceFile;
    const { file: document, line } = snippets[i] as Snippet;
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((found) => {
      const at = line + file.getLineAndCharacterOfPosition(found.start ?? 0).line;
      return `${document}:${at}: ${ts.flattenDiagnosticMessageText(found.messageText, "\n")}`;
    });
  });
}

function moduleText({ text }: Snippet, rename: (name: string) => string): string {
  const renamed = text.replace(/(\bfrom )"([^"]+)"/g, (_, from: string, name: string) => `${from}"${rename(name)}"`);
  return `${renamed}\nexport {};\n`;
}
