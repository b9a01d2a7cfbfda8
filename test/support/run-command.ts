/** Runs a command of the project to its end, as an operator does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Returns the command's output and exit code. `env` goes on top of this process's, `input` to its standard input.
 * @param cwd undefined: this process's folder.
 */
export async function runCommand(
  command: string,
  args: string[],
  env: Record<string, string>,
  { input = '', cwd }: { input?: string; cwd?: string } = {},
) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  // A command may end before it has read its input (EPIPE).
  child.stdin.on('error', () => undefined).end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors, code: child.exitCode };
}
