/** `npm run backup -- <folder>`: a copy of the installation, while it works. docs/operations.md, "Backup" */
import { resolve } from 'node:path';
import { runMain, StartError } from '../../runtime/process.ts';
import { backUpFolder } from './folder.ts';
import { backUpServers } from './servers.ts';

await runMain(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new StartError('Name the folder of the copy: npm run backup -- <folder>');
  const backUp = process.env['DATABASE_URL'] ? backUpServers : backUpFolder;
  await backUp(process.env, resolve(folder), console.log);
  console.log(`The copy is complete: ${resolve(folder)}. Keep the keys elsewhere; they are not in it.`);
});
