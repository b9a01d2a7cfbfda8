/** Runs a command of the project and waits until it exits. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Returns the command's output and exit code. `env` is added to this process's environment. `input` is its standard input.
 * @param cwd default: this process's working directory.
 */
export async function runCommand(
  command: string,
  args: string[],
  env: Record<string, string>,
  { input = '', cwd }: { input?: string; cwd?: string } = {},
) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  // Ignores EPIPE: a command may exit before it has read its input.
  child.stdin.on('error', () => undefined).end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors, code: child.exitCode };
}
