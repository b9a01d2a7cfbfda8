/** Asks the assistant's model to analyze a conversation. */
import { ApplicationFailure } from '@temporalio/common';
import type { FieldEncoding } from '../../../contract/constants.ts';
import { capabilityOf } from '../../../contract/providers.ts';
import type { FieldResults } from '../../../contract/result-fields.ts';
import type { SessionRoles } from '../../../contract/roles.ts';
import { SchemaRefusalModel } from '../../../db/models/schema-refusal.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { checkEvidence } from '../../fields/check-evidence.ts';
import { correctionOf } from '../../fields/fields-prompt.ts';
import { firstEncoding, hashFieldsSchema } from '../../fields/fields-schema.ts';
import { mend, readFields } from '../../fields/read-fields.ts';
import type { FieldsRead } from '../../fields/read-fields.ts';
import { asksRoles } from '../../roles/known-roles.ts';
import { readRoles } from '../../roles/read-roles.ts';
import { retryWhileDatabaseDown } from '../../retry-while-database-down.ts';
import { closePaid } from '../record-call.ts';
import type { PaidCall } from '../record-call.ts';
import { VendorError } from '../vendor-error.ts';
import { callModel, firstManner } from './call-model.ts';
import type { CallModelDeps, ModelCall } from './call-model.ts';
import { parseAnswer } from './parse-answer.ts';
import type { ParsedAnswer } from './parse-answer.ts';

export type AskModelDeps = CallModelDeps;

export type ModelAnswer = ParsedAnswer & {
  temperature_applied: boolean;
  field_encoding: FieldEncoding | null;
  /** Present where it was asked who is who. */
  roles?: SessionRoles;
};

/** Keeps the answer and closes the call that brought it, unless that is closed. */
type Store<T> = (answer: ModelAnswer, call?: PaidCall) => Promise<T>;

/** Returns what `store` returns. Throws `VendorError`, or the reason of `signal`. */
export async function askModel<T>(
  deps: AskModelDeps,
  session: SessionModel,
  signal: AbortSignal,
  store: Store<T>,
): Promise<T> {
  const { llm_provider: provider, llm_model: model, temperature } = session.assistant;
  const wished = capabilityOf(provider, model).temperature === 'send' ? temperature : null;
  const call = { session, signal, manner: firstManner(wished, await chooseEncoding(session)) };
  if (session.assistant.fields) return askForFields(deps, call, store);
  return callModel(deps, call, async (text) => {
    const answer = await withRoles(session, { ...parseAnswer(text), ...mannerOf(call) });
    return (paid) => store(answer, paid);
  });
}

const mannerOf = ({ manner: { temperature, encoding } }: ModelCall) => ({
  temperature_applied: temperature !== null,
  field_encoding: encoding,
});

async function chooseEncoding(session: SessionModel): Promise<FieldEncoding | null> {
  const { fields, llm_provider: provider, llm_model: model } = session.assistant;
  if (!fields) return null;
  const first = firstEncoding(provider, fields);
  if (first === 'rows') return first;
  return (await SchemaRefusalModel.isKnown({ provider, model, schema_hash: hashFieldsSchema(fields) }))
    ? 'rows'
    : first;
}

/** An answer and what it says of the fields. */
interface FieldsAnswer {
  answer: ParsedAnswer;
  read: FieldsRead;
}

/**
 * Asks once more for the fields that do not fit. The second answer counts for these alone. If it can't be had, what was
 * paid for stands, and the fields are null with the reason.
 */
async function askForFields<T>(deps: AskModelDeps, call: ModelCall, store: Store<T>): Promise<T> {
  const wasStrict = call.manner.encoding === 'strict';
  const first = await callModel<{ stored: T } | FieldsAnswer>(deps, call, async (text) => {
    const read = readAnswer(call, text);
    if (Object.keys(read.read.problems).length > 0) return (paid) => closePaid(paid, async () => read);
    const answer = await present(call, read);
    return async (paid) => ({ stored: await store(answer, paid) });
  });
  if (wasStrict && call.manner.encoding === 'rows') await rememberRefusal(call.session);
  if ('stored' in first) return first.stored;
  try {
    const again = { ...call, correction: correctionOf(first.read) };
    return await callModel(deps, again, async (text) => {
      const answer = await present(call, { ...first, read: mend(first.read, readAnswer(call, text).read) });
      return (paid) => store(answer, paid);
    });
  } catch (error) {
    call.signal.throwIfAborted();
    if (!(error instanceof VendorError) && !(error instanceof ApplicationFailure)) throw error;
    const answer = await present(call, first);
    return retryWhileDatabaseDown(() => store(answer), call.signal);
  }
}

function readAnswer({ session, manner }: ModelCall, text: string): FieldsAnswer {
  const answer = parseAnswer(text);
  return { answer, read: readFields(session.assistant.fields ?? [], manner.encoding ?? 'strict', answer.raw_response) };
}

/** Returns the answer with its fields and their checked evidence in place of what the model wrote for them. */
async function present(call: ModelCall, { answer, read }: FieldsAnswer): Promise<ModelAnswer> {
  const { conversation, assistant } = call.session;
  const { evidence: _claims, fields: _values, problems: _none, ...rest } = answer.raw_response;
  const results: FieldResults = {
    fields: read.values,
    evidence: await checkEvidence(conversation ?? [], assistant.fields ?? [], read.values, read.quotes),
    ...(Object.keys(read.problems).length > 0 && { problems: read.problems }),
  };
  const raw_response = { ...rest, ...results };
  return withRoles(call.session, { raw_response, summary_text: answer.summary_text, ...mannerOf(call) });
}

/** Returns the answer with what it says of the roles checked, and apart from what the instructions asked for. */
async function withRoles(session: SessionModel, answer: ModelAnswer): Promise<ModelAnswer> {
  if (!asksRoles(session)) return answer;
  const { roles, ...raw_response } = answer.raw_response;
  return { ...answer, raw_response, roles: await readRoles(session.conversation ?? [], roles) };
}

function rememberRefusal({ assistant }: SessionModel): Promise<void> {
  const { llm_provider: provider, llm_model: model, fields = [] } = assistant;
  return SchemaRefusalModel.remember({ provider, model, schema_hash: hashFieldsSchema(fields) });
}
