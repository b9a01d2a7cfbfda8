/** Creates sessions, calls their models, and reads the ledger. */
import { askModel, type ModelAnswer } from '../../../activities/providers/llm/ask-model.ts';
import type { CallModelDeps } from '../../../activities/providers/llm/call-model.ts';
import { createProviderBulkheads } from '../../../activities/providers/policy/provider-bulkheads.ts';
import { closeCall } from '../../../activities/providers/policy/record-call.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import type { AssistantColumns } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { createAssumePrice, createPriceOf, type PriceOf } from '../../../runtime/prices/prices.ts';
import type { FakeProvider } from '../providers/fake-provider.ts';
import { PROVIDERS } from '../providers/llm-providers.ts';

export async function newSession(
  name: LlmProviderName,
  fields: Partial<AssistantColumns> = {},
  conversation?: SessionModel['conversation'],
): Promise<SessionModel> {
  const { assistant } = await createOwner({ llm_provider: name, llm_model: PROVIDERS[name].model, ...fields });
  return createSession(assistant, conversation ? { conversation } : {});
}

/** Returns one row for each call, in order. */
export function ledgerOf({ id }: SessionModel): Promise<ProviderCallModel[]> {
  return ProviderCallModel.query()
    .where({ session_id: id })
    .orderBy('attempt')
    .then((rows) => rows);
}

const listedPrice = createPriceOf();

/** The price list, with a price for `local` that differs from other prices. */
const priceOf: PriceOf = (provider, model, usage) =>
  provider === 'local' ? usage && 0.01 : listedPrice(provider, model, usage);

/** No limits. Calls without a known price do not count. */
export const UNLIMITED = {
  priceOf,
  assumePrice: createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 0 }),
  budgets: { maxUsd: null, installationUsd: null },
  isSimulated: () => false,
  /** Other bulkheads for each copy, so that no test opens the circuit of another. */
  get bulkheads() {
    return createProviderBulkheads(100);
  },
};

/** Calls a session's model and closes the call in the ledger. */
export async function ask(
  { providers: llm }: Pick<FakeProvider, 'providers'>,
  session: SessionModel,
  deps: Partial<CallModelDeps> = {},
): Promise<ModelAnswer> {
  const { answer, paid } = await askModel({ llm, ...UNLIMITED, ...deps }, session, new AbortController().signal);
  await closeCall(paid);
  return answer;
}

/** Adds a call to the ledger. Default: a running one. */
export async function insertCall(session: SessionModel, fields: Partial<ProviderCallModel> = {}): Promise<void> {
  const { id: session_id, workspace_id, assistant_id } = session;
  const call = { step: 'analysis', attempt: 1, provider: 'openai', model: 'gpt-6-luna', ...fields } as const;
  await ProviderCallModel.query().insert({ session_id, workspace_id, assistant_id, ...call });
}

/** Runs `work` while PostgreSQL refuses to store deliveries of the session. */
export async function refuseDelivery<T>({ id }: SessionModel, work: () => Promise<T>): Promise<T> {
  const db = SessionModel.knex();
  const guard = `refuse_${id}`;
  await db.raw(
    `create function ${guard}() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger ${guard} before insert on deliveries for each row when (new.session_id = '${id}')
       execute function ${guard}();`,
  );
  return work().finally(() => db.raw(`drop trigger ${guard} on deliveries; drop function ${guard}();`));
}
