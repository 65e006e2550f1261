import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Something that a door exports. */
export interface DoorExport {
  readonly name: string;
  readonly kind: "function" | "class" | "interface" | "type" | "constant";
  /** Its comment, without the signs around it; empty where there is none. */
  readonly comment: string;
  /** What a user of it sees: every signature, every member with its comment, no bodies. */
  readonly declaration: string;
  /** Members that are data or methods, each with its comment. */
  readonly members: readonly { readonly name: string; readonly comment: string }[];
  /** The file it comes from. The same file and name behind two doors are the same thing. */
  readonly file: string;
}

/** A door of the package with what it exports, values before types. */
export interface Door {
  /** As in package.json: "." or "./schema". */
  readonly path: string;
  readonly exports: readonly DoorExport[];
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The manifest, as far as documents need it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly exports: { readonly [door: string]: unknown };
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;
}

/** Read the doors that package.json names, with the compiler. */
export function readDoors(): Door[] {
  const { exports } = readManifest();
  const paths = Object.keys(exports).filter((path) => typeof exports[path] !== "string");
  const files = paths.map((path) => `${root}src/${path === "." ? "index" : path.slice(2)}.ts`);
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram(files, options);
  return paths.map((path, i) => ({ path, exports: readExports(program, files[i] as string) }));
}

function readExports(program: ts.Program, file: string): DoorExport[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module`);
  const found = checker.getExportsOfModule(module).map((exported) => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    return readExport(exported.name, isAlias ? checker.getAliasedSymbol(exported) : exported);
  });
  const rank = ({ kind }: DoorExport) => ["function", "class", "constant", "interface", "type"].indexOf(kind);
  return found.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

function readExport(name: string, symbol: ts.Symbol): DoorExport {
  const declarations = symbol.declarations ?? [];
  const [first] = declarations;
  if (first === undefined) throw new Error(`${name} is declared nowhere`);
  return {
    name,
    kind: kindOf(first),
    comment: declarations.map(commentOf).find((comment) => comment !== "") ?? "",
    declaration: signaturesOf(declarations).map(declarationOf).join("\n"),
    members: membersOf(first).map((member) => ({ name: member.name?.getText() ?? "", comment: commentOf(member) })),
    file: first.getSourceFile().fileName.slice(root.length),
  };
}

function kindOf(node: ts.Declaration): DoorExport["kind"] {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isClassDeclaration(node)) return "class";
  if (ts.isInterfaceDeclaration(node)) return "interface";
  return ts.isTypeAliasDeclaration(node) ? "type" : "constant";
}

/** Of an overloaded function the signatures without a body are what callers see. */
function signaturesOf(declarations: readonly ts.Declaration[]): readonly ts.Declaration[] {
  const open = declarations.filter((node) => ts.isFunctionDeclaration(node) && node.body === undefined);
  return open.length > 0 ? open : declarations;
}

function commentOf(node: ts.Node): string {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const text = statement.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const last = comments.map(({ pos, end }) => text.slice(pos, end)).findLast((comment) => comment.startsWith("/**"));
  const lines =
    last
      ?.slice(3, -2)
      .split("\n")
      .map((line) => line.replace(/^\s*\* ?/, "").trimEnd()) ?? [];
  return lines.join("\n").trim();
}

function declarationOf(node: ts.Declaration): string {
  if (ts.isClassDeclaration(node)) return classText(node);
  // Of a constant its type says what it is for; what is in it is another matter.
  if (ts.isVariableDeclaration(node)) return `const ${node.name.getText()}: ${node.type?.getText() ?? "unknown"};`;
  const text = ts.isFunctionDeclaration(node) ? withoutBody(node, node.body) : node.getText();
  return text.replace(/^export (?:declare )?/, "");
}

/** A function, method or constructor up to its body, with parameters as callers see them. */
function withoutBody(node: ts.Node, body: ts.Node | undefined): string {
  const { text } = node.getSourceFile();
  let out = "";
  let at = node.getStart();
  for (const parameter of ts.isFunctionLike(node) ? node.parameters : []) {
    const { name, type, initializer } = parameter as ts.ParameterDeclaration;
    if (type === undefined || initializer === undefined) continue;
    const shown = ts.isIdentifier(name) ? name.text : "options";
    out += `${text.slice(at, name.getStart())}${shown}?: ${type.getText()}`;
    at = initializer.getEnd();
  }
  return `${(out + text.slice(at, body?.getFullStart() ?? node.getEnd())).trimEnd().replace(/;$/, "")};`;
}

function classText(node: ts.ClassDeclaration): string {
  const heritage = (node.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join("");
  const members = membersOf(node).map((member) => {
    const comment = commentOf(member);
    const text = withoutBody(member, (member as ts.FunctionLikeDeclaration).body).replace(/^override /, "");
    return `${comment === "" ? "" : `  /** ${comment.replaceAll("\n", "\n   * ")} */\n`}  ${text}`;
  });
  return `class ${node.name?.text ?? ""}${heritage} {\n${members.join("\n")}\n}`;
}

/** Members that users name: nothing private, and nothing that only the language calls. */
function membersOf(node: ts.Declaration): readonly (ts.TypeElement | ts.ClassElement)[] {
  if (ts.isInterfaceDeclaration(node)) return node.members;
  if (!ts.isClassDeclaration(node)) return [];
  return node.members.filter((member) => {
    const isHidden =
      member.name !== undefined && (ts.isPrivateIdentifier(member.name) || ts.isComputedPropertyName(member.name));
    return !isHidden && (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) === 0;
  });
}
