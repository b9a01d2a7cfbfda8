import type { Shared } from '../../contract/sessions/shares.ts';
import { nameSpeakers } from '../../contract/sessions/turns.ts';
import { fieldValueOf } from '../../contract/fields/field-value.ts';
import type { SharePart } from '../../contract/values/session-lists.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { OpenShare } from '../../db/models/share.ts';
import { readBatchAccuracy } from '../reviews/accuracy.ts';

/** Returns the chosen parts as they are now; undefined if the data was deleted meanwhile. */
export async function presentShared(share: OpenShare): Promise<Shared | undefined> {
  const parts = await (share.session_id === null ? findBatchParts(share) : findSessionParts(share));
  return parts && { ...parts, shared_by: share.shared_by, expires_at: share.expires_at.toISOString() };
}

type Parts = Omit<Shared, 'shared_by' | 'expires_at'>;

/** Values are those that are stored: placeholders stay in place of what was redacted. */
async function findSessionParts({ session_id, workspace_id, parts }: OpenShare): Promise<Parts | undefined> {
  const session = await SessionModel.query().findOne({ id: session_id, workspace_id });
  if (!session) return undefined;
  const { assistant, summary_text, raw_response, conversation, knownRoles } = session;
  const has = (part: SharePart) => parts.includes(part);
  const values = (raw_response?.['fields'] ?? {}) as Record<string, never>;
  return {
    title: assistant.name,
    created_at: session.created_at.toISOString(),
    ...(has('summary') && { summary_text }),
    ...(has('fields') && {
      fields: (assistant.fields ?? []).map(({ name, title = name }) => ({ title, value: fieldValueOf(values, name) })),
    }),
    ...(has('conversation') && { conversation: conversation && [...nameSpeakers(conversation, knownRoles)] }),
  };
}

async function findBatchParts({ batch_id, workspace_id, parts }: OpenShare): Promise<Parts | undefined> {
  const batch = await BatchModel.findOwned(workspace_id, batch_id ?? '');
  if (!batch) return undefined;
  const { name, settings, overrides, created_at } = batch;
  return {
    title: name ?? settings?.name ?? '',
    created_at: created_at.toISOString(),
    ...(parts.includes('verdict') && {
      verdict: await readBatchAccuracy(workspace_id, batch.id),
      questions: settings?.fields ?? [],
    }),
    ...(parts.includes('settings') && { settings: overrides }),
  };
}
