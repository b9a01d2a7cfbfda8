import type { SecretBox } from '../runtime/secrets.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { inBatches } from '../db/page.ts';

export interface ResealCount {
  resealed: number;
  /** IDs of the assistants with a secret that no key opens. The secrets are kept. */
  unreadable: string[];
}

/** Assistants between two progress reports. */
const PROGRESS_EVERY = 1_000;

/**
 * Reseals every secret with the first key, so older keys can be removed. May run while the service runs: a secret that
 * changes meanwhile is skipped.
 */
export async function resealSecrets(secrets: SecretBox, say: (progress: string) => void): Promise<ResealCount> {
  const count: ResealCount = { resealed: 0, unreadable: [] };
  const outdated = inBatches(() =>
    AssistantModel.query()
      .select('id', 'webhook_secret')
      .whereNotNull('webhook_secret')
      .whereNot('webhook_secret', 'like', `${secrets.sealedPrefix}%`),
  );
  for await (const { id, webhook_secret } of outdated) {
    if (webhook_secret === null) continue;
    const plain = secrets.open(webhook_secret, id);
    if (plain === undefined) count.unreadable.push(id);
    else {
      const fields = { webhook_secret: secrets.seal(plain, id) };
      count.resealed += await AssistantModel.query().patch(fields).where({ id, webhook_secret });
    }
    if ((count.resealed + count.unreadable.length) % PROGRESS_EVERY === 0) say(`${count.resealed} resealed`);
  }
  return count;
}
