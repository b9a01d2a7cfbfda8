/** Moves every sealed secret to the first key of the ring, so that older keys can go. */
import type { SecretBox } from '../runtime/secrets.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { inBatches } from '../db/page.ts';

export interface ResealCount {
  resealed: number;
  /** Ids of the assistants whose secret no key opens; they keep it. */
  unreadable: string[];
}

/** Told after each of so many assistants. */
const PROGRESS_EVERY = 1_000;

/**
 * Reseals what the first key did not seal. It may run beside the service and be run again: a secret that changed
 * meanwhile is left as it is.
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
