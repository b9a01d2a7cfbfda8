import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes files that are made of the code: texts by their paths from the root. With `--check` it writes nothing, and the
 * process fails where one is not current, with `command` as what to do.
 */
export function printFiles(command: string, texts: Record<string, string>): void {
  const locate = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const outdated = Object.entries(texts).filter(
    ([path, text]) => !existsSync(locate(path)) || readFileSync(locate(path), 'utf8') !== text,
  );
  if (!process.argv.includes('--check')) {
    for (const [path, text] of outdated) writeFileSync(locate(path), text);
  } else if (outdated.length > 0) {
    process.stderr.write(`Not current: ${outdated.map(([path]) => path).join(', ')}. Run: ${command}\n`);
    process.exitCode = 1;
  }
}
