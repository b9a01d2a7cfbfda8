/** Reads the commands of docs/compose.md and docs/runbook.md, so that the page and the test cannot differ. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../runtime/process/process.ts';

/** Returns the code blocks below a heading of the pages, in their order. @param values replace the page's examples. */
export function readCommands(folder: string, heading: string, values: Record<string, string> = {}): string[] {
  const page = ['compose', 'runbook'].map((name) => readFileSync(join(folder, `docs/${name}.md`), 'utf8')).join('\n');
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  if (blocks.length === 0) throw new StartError(`The pages have no commands below "${heading}".`);
  for (const example of Object.keys(values))
    if (!section.includes(example)) throw new StartError(`"${heading}" of the pages does not contain ${example}.`);
  return blocks.map((block) =>
    Object.entries(values).reduce((text, [example, value]) => text.replaceAll(example, value), block),
  );
}
