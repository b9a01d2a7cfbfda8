import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes generated files, given as texts by path from the root. With `--check`, writes nothing and fails if a file is outdated,
 * naming the command to run.
 */
export function printFiles(command: string, texts: Record<string, string>): void {
  const locate = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const outdated = Object.entries(texts).filter(
    ([path, text]) => !existsSync(locate(path)) || readFileSync(locate(path), 'utf8') !== text,
  );
  if (!process.argv.includes('--check')) {
    for (const [path, text] of outdated) writeFileSync(locate(path), text);
  } else if (outdated.length > 0) {
    process.stderr.write(`Outdated: ${outdated.map(([path]) => path).join(', ')}. Run: ${command}\n`);
    process.exitCode = 1;
  }
}
