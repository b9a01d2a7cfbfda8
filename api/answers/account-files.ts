/** The files of an export: each is read when its turn comes, a few rows at a time. */
import type { Model, QueryBuilder } from 'objection';
import { ApiKeyModel } from '../../db/models/api-key.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { AuditEventModel } from '../../db/models/audit-event.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { LoginModel } from '../../db/models/login.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { UserModel } from '../../db/models/user.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { inBatches } from '../../db/page.ts';
import { AudioMissingError } from '../../runtime/audio/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { presentApiKey } from '../presenters/api-key.ts';
import { presentAssistant } from '../presenters/assistant.ts';
import { presentAuditEvent } from '../presenters/audit-event.ts';
import { presentBatch } from '../presenters/batch.ts';
import { presentDelivery } from '../presenters/delivery.ts';
import { presentLogin } from '../presenters/login.ts';
import { presentRedelivery } from '../presenters/redelivery.ts';
import { presentUser } from '../presenters/user.ts';
import { presentVendorCall } from '../presenters/vendor-call.ts';
import { showSession } from './show-session.ts';

type Deps = Pick<ApiDeps, 'audio' | 'config'>;

export interface ExportedFile {
  name: string;
  input: string | AsyncIterable<string | Uint8Array>;
}

/** Rows that are held at once: a session, or a payload, can be megabytes. */
const ROWS = 10;

/** Yields everything of a user in the form of the API's answers. Nothing of it is a secret. */
export async function* accountFiles(deps: Deps, user: UserModel, signal: AbortSignal): AsyncGenerator<ExportedFile> {
  const own = { user_id: user.id };
  yield { name: 'profile.json', input: JSON.stringify(presentUser(user), null, 2) };
  yield toFile('assistants', () => AssistantModel.query().where(own), presentAssistant);
  yield toFile('tokens', () => ApiKeyModel.query().where(own), presentApiKey);
  yield toFile(
    'logins',
    () => LoginModel.query().where(own),
    (row) => presentLogin(row, undefined),
  );
  yield toFile('audit', () => AuditEventModel.query().where(own), presentAuditEvent);
  yield toFile(
    'sessions',
    () => SessionModel.query().where(own),
    async (row) => ({
      ...(await showSession(deps, row)),
      calls: await findCalls(row.id),
    }),
  );
  yield toFile('batches', () => BatchModel.query().where(own), presentBatch);
  yield toFile(
    'deliveries',
    () => DeliveryModel.query().where(own).withGraphFetched('attempts'),
    (row) => ({
      ...presentDelivery(row),
      payload: row.payload,
    }),
  );
  yield toFile(
    'redeliveries',
    () => RedeliveryModel.query().where(own),
    async (row) => presentRedelivery(row, await row.countDeliveries()),
  );
  yield* recordings(deps, own, signal);
}

/** Returns a file with a line of JSON for each row. */
function toFile<M extends Model & { id: string }>(
  name: string,
  select: () => QueryBuilder<M, M[]>,
  present: (row: M) => unknown,
): ExportedFile {
  async function* lines() {
    for await (const row of inBatches(select, ROWS)) yield `${JSON.stringify(await present(row))}\n`;
  }
  return { name: `${name}.jsonl`, input: lines() };
}

async function findCalls(session_id: string) {
  const calls = await VendorCallModel.query().where({ session_id }).orderBy('started_at');
  return calls.map((row) => {
    const { usage, cost_usd, error } = row;
    return { ...presentVendorCall(row), usage, cost_usd, error };
  });
}

async function* recordings({ audio }: Deps, own: { user_id: string }, signal: AbortSignal) {
  const recorded = inBatches(() => SessionModel.query().select('id', 'audio').where(own).whereNotNull('audio'));
  for await (const { id, audio: stored } of recorded) {
    if (stored === null) continue;
    try {
      const extension = /\.\w+$/.exec(stored.file_name)?.[0] ?? '';
      yield { name: `recordings/${id}${extension}`, input: await audio.open(stored.key, { signal }) };
    } catch (error) {
      // It was removed since its row was read.
      if (!(error instanceof AudioMissingError)) throw error;
    }
  }
}
