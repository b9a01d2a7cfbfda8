/** `npm run reseal`: reseals every secret with the first key of `ENCRYPTION_KEYS`. docs/operations.md, "Rotate encryption keys". */
import { connectDatabase } from '../db/connect.ts';
import { readConfig } from '../runtime/config.ts';
import { runMain } from '../runtime/process.ts';
import { createSecretBox } from '../runtime/secrets.ts';
import { resealSecrets } from './reseal-secrets.ts';

await runMain(async () => {
  const config = readConfig(process.env, ['ENCRYPTION_KEYS']);
  const db = connectDatabase({ ...config.database, poolMax: 2 });
  const { resealed, unreadable } = await resealSecrets(createSecretBox(config.encryptionKeys), console.log);
  console.log(`${resealed} secrets encrypted with the first key`);
  if (unreadable.length > 0) {
    console.log(`No key decrypts ${unreadable.length} secrets. Set new secrets for ${unreadable.join(', ')}.`);
  }
  await db.destroy();
});
