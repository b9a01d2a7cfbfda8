/** Has the assistant's model analyze a conversation. */
import { ApplicationFailure } from '@temporalio/common';
import type { FieldEncoding } from '../../../contract/values/constants.ts';
import { capabilityOf } from '../../../contract/values/providers.ts';
import { nameSpeakers } from '../../../contract/sessions/turns.ts';
import type { FrozenAssistant } from '../../../contract/sessions/sessions.ts';
import type { LeftOut } from '../../../contract/sessions/left-out.ts';
import type { FieldResults } from '../../../contract/fields/result-fields.ts';
import type { SessionRoles } from '../../../contract/values/roles.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { checkEvidence, createCheckTime } from '../../fields/check-evidence.ts';
import { correctionOf } from '../../fields/fields-prompt.ts';
import { firstEncoding, hashFieldsSchema } from '../../fields/fields-schema.ts';
import { mergeCorrection, readFields, type FieldsRead } from '../../fields/read-fields.ts';
import { asksRoles } from '../../roles/known-roles.ts';
import { readRoles } from '../../roles/read-roles.ts';
import { retryWhileDatabaseDown } from '../../retry-while-database-down.ts';
import { leftOutIn } from '../adapt-request.ts';
import { closeCall, type PaidCall } from '../record-call.ts';
import { ProviderError } from '../provider-error.ts';
import { acceptsProse, callModel, firstSettings, type CallModelDeps, type ModelCall } from './call-model.ts';
import type { ParsedAnswer } from './parse-answer.ts';
import { requireAnswer } from './read-response.ts';

export type ModelAnswer = ParsedAnswer & {
  /** null: no model was called. */
  temperature_applied: boolean | null;
  field_encoding: FieldEncoding | null;
  left_out: LeftOut[] | null;
  /** Present if the model was asked for roles. */
  roles?: SessionRoles;
};

export interface PaidAnswer {
  answer: ModelAnswer;
  /** The call that returned the answer; its end is stored with the result. */
  paid: PaidCall;
}

/**
 * Returns the model's answer. A response with fields or roles is stored before they are checked, so a crash during the
 * check does not pay twice. Throws `ProviderError`, or the reason of `signal`.
 */
export async function askModel(deps: CallModelDeps, session: SessionModel, signal: AbortSignal): Promise<PaidAnswer> {
  const { llm_provider: provider, llm_model: model, fields } = session.assistant;
  const capability = capabilityOf(provider, model);
  // A session that an earlier release created, or a fallback, may have no or another effort.
  const given: Partial<FrozenAssistant> = session.assistant;
  const { reasoning_effort: chosen = null, max_output_tokens: limit = null } = given;
  const reasoningEffort = chosen !== null && capability.efforts?.includes(chosen) === false ? null : chosen;
  const reasons = capability.reasoning_effort === 'none' && reasoningEffort !== null && reasoningEffort !== 'none';
  const temperature = capability.temperature === 'send' && !reasons ? session.assistant.temperature : null;
  const settings = firstSettings({ temperature, encoding: chooseEncoding(session), reasoningEffort, limit });
  const call = { session, signal, settings };
  if (fields || asksRoles(session)) return askAndCheck(deps, call);
  const { answer, paid } = await callModel(deps, call);
  return { answer: { ...answer, ...appliedSettings(call) }, paid };
}

const appliedSettings = ({ settings: { temperature, encoding, adaptation } }: ModelCall) => ({
  temperature_applied: temperature !== null && !adaptation.leftOut.includes('temperature'),
  field_encoding: encoding,
  left_out: leftOutIn('analysis', adaptation),
});

/** Field schemas that models refused in calls of this worker. Until a restart, their fields are requested as rows. */
const refusedSchemas = new Set<string>();

const schemaKeyOf = ({ llm_provider, llm_model, fields = [] }: SessionModel['assistant']) =>
  `${llm_provider} ${llm_model} ${hashFieldsSchema(fields)}`;

function chooseEncoding({ assistant }: SessionModel): FieldEncoding | null {
  if (!assistant.fields) return null;
  return refusedSchemas.has(schemaKeyOf(assistant)) ? 'rows' : firstEncoding(assistant.llm_provider, assistant.fields);
}

interface FieldsAnswer {
  answer: ParsedAnswer;
  read: FieldsRead;
}

/**
 * Asks once more for invalid fields. Only these fields are taken from the second answer. If the second call fails, the
 * first answer counts, and the invalid fields are null with the reason.
 */
async function askAndCheck(deps: CallModelDeps, call: ModelCall): Promise<PaidAnswer> {
  const wasStrict = call.settings.encoding === 'strict';
  const nextAnswer = await createAnswerSource(deps, call);
  let { answer, sessionCost } = await nextAnswer();
  if (wasStrict && call.settings.encoding === 'rows') refusedSchemas.add(schemaKeyOf(call.session.assistant));
  let read = readAnswer(call, answer);
  if (Object.keys(read.read.problems).length > 0) {
    try {
      ({ answer, sessionCost } = await nextAnswer(correctionOf(read.read)));
      read = { ...read, read: mergeCorrection(read.read, readAnswer(call, answer).read) };
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof ProviderError) && !(error instanceof ApplicationFailure)) throw error;
      sessionCost = undefined;
    }
  }
  return { answer: await present(call, read), paid: { end: undefined, sessionCost } };
}

/** Returns a function that returns the next answer: one in a stored response of an earlier try, or a new one, which it stores. */
async function createAnswerSource(deps: CallModelDeps, call: ModelCall) {
  const { session, settings } = call;
  const { llm_provider: provider, llm_model: model } = session.assistant;
  const stored = await ProviderCallModel.findUnchecked({ session_id: session.id, provider, model }, session.queued_at);

  return async function nextAnswer(
    correction?: string,
  ): Promise<{ answer: ParsedAnswer; sessionCost?: number | undefined }> {
    const earlier = stored.shift();
    if (earlier) {
      const { left_out: leftOut = [], is_free: isFree = false, ...sent } = earlier.settings ?? {};
      Object.assign(settings, sent);
      Object.assign(settings.adaptation, { leftOut, isFree });
      const response = await deps.llm[provider].readAnswer(earlier.provider_response);
      const answer = requireAnswer(provider, response, acceptsProse(settings));
      if (answer) return { answer };
    }
    const { answer, paid } = await callModel(deps, correction === undefined ? call : { ...call, correction });
    const { temperature, encoding, adaptation } = settings;
    const { leftOut: left_out, isFree: is_free = false } = adaptation;
    await retryWhileDatabaseDown(() => closeCall(paid, { settings: { temperature, encoding, left_out, is_free } }));
    return { answer, sessionCost: paid.sessionCost };
  };
}

function readAnswer({ session, settings }: ModelCall, answer: ParsedAnswer): FieldsAnswer {
  return {
    answer,
    read: readFields(session.assistant.fields ?? [], settings.encoding ?? 'strict', answer.raw_response),
  };
}

/** Returns the answer with the checked fields, evidence and roles in place of the model's own. */
async function present(call: ModelCall, { answer, read }: FieldsAnswer): Promise<ModelAnswer> {
  const { session } = call;
  const turns = session.conversation ?? [];
  const inSlices = createCheckTime();
  const presented: ModelAnswer = { ...answer, ...appliedSettings(call) };
  const { fields } = session.assistant;
  if (fields) {
    const { evidence: _claims, fields: _values, problems: _none, ...rest } = answer.raw_response;
    const results: FieldResults = {
      fields: read.values,
      evidence: await checkEvidence(
        nameSpeakers(turns, session.knownRoles),
        fields,
        read.values,
        read.quotes,
        inSlices,
      ),
      ...(Object.keys(read.problems).length > 0 && { problems: read.problems }),
    };
    presented.raw_response = { ...rest, ...results };
  }
  if (!asksRoles(session)) return presented;
  const { roles, ...raw_response } = presented.raw_response;
  return { ...presented, raw_response, roles: await readRoles(turns, roles, inSlices) };
}
