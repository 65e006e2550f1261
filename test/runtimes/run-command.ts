import { execFile } from "node:child_process";

/** How a process ended. */
export interface Ended {
  readonly ok: boolean;
  readonly stdout: string;
  /** Both outputs and why it could not be run, for whoever has to find out. */
  readonly log: string;
}

/** Run a command to its end. Never rejects. */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env, minutes = 10 }: { cwd?: string; env?: NodeJS.ProcessEnv; minutes?: number } = {},
): Promise<Ended> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 256 * 1024 * 1024, timeout: minutes * 60_000 };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const reason = error === null ? [] : [error.message.split("\n")[0] ?? ""];
      resolve({ ok: error === null, stdout, log: [...reason, stdout, stderr].join("\n") });
    });
  });
}
