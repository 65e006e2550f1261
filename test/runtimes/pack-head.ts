import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "./run-command.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Build and pack what is committed, in a copy, so that nothing in the tree is touched or waited for. Gives the tarball. */
export async function packHead(folder: string, commit = "HEAD"): Promise<string> {
  const copy = join(folder, "head");
  await mkdir(copy, { recursive: true });
  await symlink(join(repository, "node_modules"), join(copy, "node_modules"), "dir");
  // The modes of files are part of a tarball.
  const script =
    'umask 022 && git -C "$1" archive "$3" | tar -x -C "$2" && cd "$2" && npm pack --loglevel=error --pack-destination ..';
  const packed = await runCommand("bash", ["-o", "pipefail", "-c", script, "pack", repository, copy, commit]);
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  if (!packed.ok || tarball === undefined) throw new Error(`what is committed cannot be packed:\n${packed.log}`);
  return join(folder, tarball);
}
