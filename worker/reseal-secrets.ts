import type { SecretBox } from '../runtime/secrets/secrets.ts';
import { alertOwner, AssistantModel } from '../db/models/assistant.ts';
import { AudioSourceModel } from '../db/models/audio-source.ts';
import { SecondFactorModel } from '../db/models/second-factor.ts';
import { SessionOriginalsModel } from '../db/models/session-originals.ts';
import { inBatches } from '../db/page.ts';

interface ResealCount {
  resealed: number;
  /** IDs of the assistants, users and sessions with a secret that no key opens. The secrets are kept. */
  unreadable: string[];
}

/** Rows between two progress reports. */
const PROGRESS_EVERY = 1_000;

interface SealedSecret {
  /** Reported if no key opens the secret. */
  id: string;
  /** What the secret is sealed for. */
  owner: string;
  sealed: string;
  /** Stores another value, unless the secret has changed meanwhile. Returns the number of changed rows. */
  replace(fresh: string): PromiseLike<number>;
}

/** The columns with sealed secrets. Objection's types take one model, and only columns of both are used. */
const SEALED = [
  [AssistantModel, 'webhook_secret'],
  [SecondFactorModel as unknown as typeof AssistantModel, 'secret'],
  [AudioSourceModel as unknown as typeof AssistantModel, 'sealed'],
  [SessionOriginalsModel as unknown as typeof AssistantModel, 'originals'],
] as const;

/** Yields the secrets that were sealed with another key than the first. */
async function* findOutdated({ sealedPrefix }: SecretBox): AsyncGenerator<SealedSecret> {
  for (const [model, column] of SEALED) {
    const outdated = inBatches(() =>
      model
        .query()
        .select('id', `${column} as sealed`)
        .whereNotNull(column)
        .whereNot(column, 'like', `${sealedPrefix}%`),
    );
    for await (const row of outdated) {
      const { id, sealed } = row as unknown as Pick<SealedSecret, 'id' | 'sealed'>;
      const replace = (fresh: string) =>
        model
          .query()
          .patch({ [column]: fresh })
          .where({ id, [column]: sealed });
      yield { id, owner: id, sealed, replace };
    }
  }
  for await (const { id, alerts } of inBatches(() =>
    AssistantModel.query().select('id', 'alerts').whereNotNull('alerts'),
  )) {
    for (const { name, secret: sealed } of alerts ?? []) {
      if (sealed === null || sealed.startsWith(sealedPrefix)) continue;
      yield { id, owner: alertOwner(id, name), sealed, replace: (fresh) => replaceInAlerts(id, sealed, fresh) };
    }
  }
}

/** A sealed secret is unique and contains nothing that JSON escapes. */
const replaceInAlerts = (id: string, sealed: string, fresh: string) =>
  AssistantModel.query()
    .patch({
      alerts: AssistantModel.raw('cast(replace(cast(alerts as text), ?, ?) as jsonb)', [sealed, fresh]) as never,
    })
    .where({ id })
    .whereRaw('alerts @> cast(? as jsonb)', [JSON.stringify([{ secret: sealed }])]);

/**
 * Reseals every secret with the first key, so older keys can be removed. May run while the service runs: a secret that
 * changes meanwhile is skipped.
 */
export async function resealSecrets(secrets: SecretBox, say: (progress: string) => void): Promise<ResealCount> {
  const count: ResealCount = { resealed: 0, unreadable: [] };
  for await (const { id, owner, sealed, replace } of findOutdated(secrets)) {
    const plain = secrets.open(sealed, owner);
    if (plain === undefined) count.unreadable.push(id);
    else count.resealed += await replace(secrets.seal(plain, owner));
    if ((count.resealed + count.unreadable.length) % PROGRESS_EVERY === 0) say(`${count.resealed} resealed`);
  }
  return count;
}
