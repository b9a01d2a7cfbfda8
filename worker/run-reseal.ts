/** `npm run reseal`: reseals every secret with the first key of `ENCRYPTION_KEYS`. docs/runbook.md, "Rotate encryption keys". */
import { keepFirstKey } from '../db/check-installation.ts';
import { connectDatabase } from '../db/connect.ts';
import { readConfig } from '../runtime/settings/config.ts';
import { refuseArguments, runMain } from '../runtime/process/process.ts';
import { createSecretBox } from '../runtime/secrets/secrets.ts';
import { resealSecrets } from './reseal-secrets.ts';

await runMain(async () => {
  refuseArguments();
  const config = readConfig(process.env, ['ENCRYPTION_KEYS']);
  const db = connectDatabase({ ...config.database, poolMax: 2 });
  const secrets = createSecretBox(config.encryptionKeys);
  const { resealed, unreadable } = await resealSecrets(secrets, console.log);
  console.log(`${resealed} secrets encrypted with the first key`);
  if (unreadable.length > 0) {
    console.log(`No key decrypts ${unreadable.length} secrets. Set new secrets for ${unreadable.join(', ')}.`);
  }
  if (resealed + unreadable.length === 0) await keepFirstKey(db, secrets);
  await db.destroy();
});
