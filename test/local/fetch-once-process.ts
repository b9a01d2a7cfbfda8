/** A process of fetch-once.test.ts. Its fetch appends a line to `log`. With `hang`, the fetch never ends. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchOnce } from '../../local/fetch-once.ts';

const [, , target = '', log = '', mode = ''] = process.argv;

await fetchOnce(target, { title: 'Program', say: console.log }, async (folder) => {
  appendFileSync(log, `${process.pid}\n`);
  // A timer, because a pending promise alone does not keep the process alive.
  if (mode === 'hang') await new Promise((resolve) => setTimeout(resolve, 600_000));
  writeFileSync(join(folder, 'program'), 'complete');
  return join(folder, 'program');
});
