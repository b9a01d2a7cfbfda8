/** `npm run restore -- <folder>`: brings a copy back into an empty installation. docs/operations.md, "Backup" */
import { resolve } from 'node:path';
import { runMain, StartError } from '../../runtime/process.ts';
import { restoreFolder } from './folder.ts';
import { restoreServers } from './servers.ts';

await runMain(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new StartError('Name the folder of the copy: npm run restore -- <folder>');
  const restore = process.env['DATABASE_URL'] ? restoreServers : restoreFolder;
  await restore(process.env, resolve(folder), console.log);
});
