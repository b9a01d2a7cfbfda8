/** Reads the commands of docs/operations.md, so that the page and the test cannot differ. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../runtime/process/process.ts';

/** Returns the code blocks below a heading of the page, in their order. @param values replace the page's examples. */
export function readCommands(folder: string, heading: string, values: Record<string, string> = {}): string[] {
  const page = readFileSync(join(folder, 'docs/operations.md'), 'utf8');
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  if (blocks.length === 0) throw new StartError(`docs/operations.md has no commands below "${heading}".`);
  for (const example of Object.keys(values))
    if (!section.includes(example))
      throw new StartError(`"${heading}" of docs/operations.md does not contain ${example}.`);
  return blocks.map((block) =>
    Object.entries(values).reduce((text, [example, value]) => text.replaceAll(example, value), block),
  );
}
