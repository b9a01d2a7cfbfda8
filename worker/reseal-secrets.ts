import type { SecretBox } from '../runtime/secrets.ts';
import { AssistantModel } from '../db/models/assistant.ts';
import { AudioSourceModel } from '../db/models/audio-source.ts';
import { SecondFactorModel } from '../db/models/second-factor.ts';
import { inBatches } from '../db/page.ts';

export interface ResealCount {
  resealed: number;
  /** IDs of the assistants, users and sessions with a secret that no key opens. The secrets are kept. */
  unreadable: string[];
}

/** Rows between two progress reports. */
const PROGRESS_EVERY = 1_000;

interface SealedRow {
  id: string;
  sealed: string;
}

/** The columns with sealed secrets. Objection's types take one model, and only columns of both are used. */
const SEALED = [
  [AssistantModel, 'webhook_secret'],
  [SecondFactorModel as unknown as typeof AssistantModel, 'secret'],
  [AudioSourceModel as unknown as typeof AssistantModel, 'sealed'],
] as const;

/**
 * Reseals every secret with the first key, so older keys can be removed. May run while the service runs: a secret that
 * changes meanwhile is skipped.
 */
export async function resealSecrets(secrets: SecretBox, say: (progress: string) => void): Promise<ResealCount> {
  const count: ResealCount = { resealed: 0, unreadable: [] };
  for (const [model, column] of SEALED) {
    const outdated = inBatches(() =>
      model
        .query()
        .select('id', `${column} as sealed`)
        .whereNotNull(column)
        .whereNot(column, 'like', `${secrets.sealedPrefix}%`),
    );
    for await (const row of outdated) {
      const { id, sealed } = row as unknown as SealedRow;
      const plain = secrets.open(sealed, id);
      if (plain === undefined) count.unreadable.push(id);
      else {
        const fresh = { [column]: secrets.seal(plain, id) };
        count.resealed += await model
          .query()
          .patch(fresh)
          .where({ id, [column]: sealed });
      }
      if ((count.resealed + count.unreadable.length) % PROGRESS_EVERY === 0) say(`${count.resealed} resealed`);
    }
  }
  return count;
}
