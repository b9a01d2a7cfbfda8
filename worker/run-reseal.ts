/** Reseals every webhook secret with the first key of `ENCRYPTION_KEYS`: `npm run reseal`. docs/operations.md, "Keys". */
import { readConfig } from '../runtime/config.ts';
import { runMain } from '../runtime/process.ts';
import { createSecretBox } from '../runtime/secrets.ts';
import { connectDatabase } from '../db/connect.ts';
import { resealSecrets } from './reseal-secrets.ts';

await runMain(async () => {
  const config = readConfig(process.env);
  const db = connectDatabase({ ...config.database, poolMax: 2 });
  const { resealed, unreadable } = await resealSecrets(createSecretBox(config.encryptionKeys), say);
  say(`${resealed} secrets resealed with the first key`);
  if (unreadable.length > 0) {
    say(`${unreadable.length} secrets open with no key; their assistants need new ones: ${unreadable.join(', ')}`);
  }
  await db.destroy();
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
