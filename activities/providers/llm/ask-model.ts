/** Has the assistant's model analyze a conversation. */
import { ApplicationFailure } from '@temporalio/common';
import type { FieldEncoding } from '../../../contract/values/constants.ts';
import { capabilityOf } from '../../../contract/values/providers.ts';
import { nameSpeakers } from '../../../contract/sessions/turns.ts';
import type { FrozenAssistant } from '../../../contract/sessions/sessions.ts';
import type { LeftOut } from '../../../contract/sessions/left-out.ts';
import { answeredByModel } from '../../../contract/fields/field-types.ts';
import type { FieldResults } from '../../../contract/fields/result-fields.ts';
import { withScores } from '../../../contract/fields/score.ts';
import type { SessionRoles } from '../../../contract/values/roles.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel, type StoredCallSettings } from '../../../db/models/provider-call.ts';
import { checkEvidence, createCheckTime } from '../../fields/check-evidence.ts';
import { correctionOf } from '../../fields/fields-prompt.ts';
import { mergeCorrection, readFields, type FieldsRead } from '../../fields/read-fields.ts';
import { answerSaid } from '../../fields/answer-said.ts';
import { asksRoles, rolesOfNames } from '../../roles/known-roles.ts';
import { readRoles } from '../../roles/read-roles.ts';
import { showLeftOut } from '../policy/negotiate.ts';
import type { PaidCall } from '../policy/record-call.ts';
import { ProviderError } from '../policy/provider-error.ts';
import { callModel, type CallModelDeps, type ModelCall, type ModelReply } from './call-model.ts';
import type { ParsedAnswer } from './parse-answer.ts';

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
 * @param economy whether half the price is asked for; undefined: the session is not economical.
 */
export async function askModel(
  deps: CallModelDeps,
  session: SessionModel,
  signal: AbortSignal,
  economy?: boolean,
): Promise<PaidAnswer> {
  const { llm_provider: provider, llm_model: model, fields } = session.assistant;
  const capability = capabilityOf(provider, model);
  // A session that an earlier release created, or a fallback, may have no or another effort.
  const given: Partial<FrozenAssistant> = session.assistant;
  const { reasoning_effort: chosen = null, max_output_tokens: limit = null } = given;
  const reasoningEffort = chosen !== null && capability.efforts?.includes(chosen) === false ? null : chosen;
  const reasons = capability.reasoning_effort === 'none' && reasoningEffort !== null && reasoningEffort !== 'none';
  const temperature = capability.temperature === 'send' && !reasons ? session.assistant.temperature : null;
  const call: ModelCall = { session, temperature, reasoningEffort, limit, economy, signal };
  if (!fields && !asksRoles(session)) {
    const { answer, paid, asked } = await callModel(deps, call);
    return { answer: { ...answer, ...appliedSettings(asked) }, paid };
  }
  const stored = await ProviderCallModel.findUnchecked({ session_id: session.id, provider, model }, session.queued_at);
  const first = await callModel(deps, { ...call, stored });
  const read = readAnsweredFields(session, first);
  if (Object.keys(read.problems).length === 0) return present(session, first, read);
  const correction = { correction: correctionOf(read), settings: first.settings, stored };
  const second = await callModel(deps, { ...call, ...correction }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof ProviderError) && !(error instanceof ApplicationFailure)) throw error;
  });
  // The cost of the calls is read from the ledger.
  if (!second) return present(session, { ...first, paid: { end: undefined, sessionCost: undefined } }, read);
  return present(
    session,
    { ...second, answer: first.answer },
    mergeCorrection(read, readAnsweredFields(session, second)),
  );
}

const appliedSettings = ({ temperature, encoding, left_out }: StoredCallSettings) => ({
  temperature_applied: temperature !== null && left_out?.includes('temperature') !== true,
  field_encoding: encoding,
  left_out: showLeftOut('analysis', left_out),
});

const readAnsweredFields = ({ assistant: { fields } }: SessionModel, { answer, asked }: ModelReply): FieldsRead =>
  readFields(answeredByModel(fields ?? []), asked.encoding ?? 'strict', answer.raw_response);

/** Returns the answer with the checked fields, evidence and roles in place of the model's own. */
async function present(
  session: SessionModel,
  { answer, asked, paid: { sessionCost } }: ModelReply,
  read: FieldsRead,
): Promise<PaidAnswer> {
  const turns = session.conversation ?? [];
  const inSlices = createCheckTime();
  const { roles: claimedRoles, ...answered } = answer.raw_response;
  const roles = asksRoles(session) && (await readRoles(turns, claimedRoles, inSlices));
  const presented: ModelAnswer = {
    ...answer,
    ...appliedSettings(asked),
    ...(roles && { roles, raw_response: answered }),
  };
  const { fields } = session.assistant;
  if (fields) {
    const { evidence: _claims, fields: _values, problems: _none, ...rest } = presented.raw_response;
    const named = nameSpeakers(turns, session.knownRoles);
    const roleOf = rolesOfNames(session.knownRoles, roles || null);
    const results: FieldResults = {
      fields: read.values,
      evidence: await checkEvidence(named, fields, read.values, read.quotes, inSlices, roleOf),
      ...(Object.keys(read.problems).length > 0 && { problems: read.problems }),
    };
    const all = await answerSaid(named, fields, results, roleOf);
    presented.raw_response = { ...rest, ...withScores(fields, all, session.assistant_version) };
  }
  // The call's row is closed.
  return { answer: presented, paid: { end: undefined, sessionCost } };
}
