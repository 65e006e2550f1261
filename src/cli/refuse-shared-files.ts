import { fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { UsageError } from "./command.js";
import { isStandard } from "./files.js";

/** A file that a command reads or writes. */
export interface FileUse {
  /** What the file is to the command, such as "input". */
  readonly role: string;
  readonly file: string;
  /** The stream that "-" stands for. */
  readonly stream: Readable | Writable;
}

/**
 * Refuse to write a file that is also read, or written as something else, whatever name it goes by: opening it for writing
 * empties it. Nothing has been written then.
 */
export function refuseSharedFiles(read: readonly FileUse[], written: readonly FileUse[]): void {
  const known = new Map<string, FileUse>();
  for (const use of read) known.set(identify(use) ?? "", use);
  for (const use of written) {
    const identity = identify(use);
    if (identity === undefined) continue;
    const other = known.get(identity);
    // Standard output and standard error may be one file: a shell has opened it once, and for both.
    if (other !== undefined && !(written.includes(other) && isStandard(other.file) && isStandard(use.file))) {
      throw new UsageError(`${other.role} and ${use.role} are the same file`);
    }
    known.set(identity, use);
  }
}

/** What all names of one file have in common; undefined for what is no file, such as a terminal, a pipe or a device. */
function identify({ file, stream }: FileUse): string | undefined {
  // Streams that are not of the process have no descriptor.
  const { fd } = stream as { readonly fd?: unknown };
  if (isStandard(file) && typeof fd !== "number") return undefined;
  const found = isStandard(file)
    ? fstatSync(fd as number, { bigint: true })
    : statSync(file, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return `path ${locate(file)}`;
  return found.isFile() ? `file ${found.dev} ${found.ino}` : undefined;
}

/** Most links that are followed, as by Linux. */
const mostLinks = 40;

/** Where a file that is not there yet will be: behind links that lead to nothing, in a folder that is there. */
function locate(file: string): string {
  let path = resolve(file);
  for (let i = 0; i < mostLinks; i++) {
    const target = readLink(path);
    if (target === undefined) break;
    path = resolve(dirname(path), target);
  }
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    // Opening it will fail, and say why.
    return path;
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It is no link.
    return undefined;
  }
}
