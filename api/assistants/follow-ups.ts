/** Checks the follow-ups of an assistant. */
import { isDeepStrictEqual } from 'node:util';
import { errorAt } from '../../contract/errors/field-errors.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import { findMismatch } from '../../contract/fields/conditions.ts';
import { kindsMissing } from '../../contract/values/redaction.ts';
import { AssistantModel, type NewAssistant } from '../../db/models/assistant.ts';

type Checked = Pick<NewAssistant, 'workspace_id' | 'fields' | 'redaction' | 'follow_ups'> & { id?: string };

/**
 * Returns an error for each follow-up whose assistant can't follow, and each condition that does not match the fields. Follow-ups
 * that are unchanged since `before` are not checked, unless the redaction changes.
 */
export async function checkFollowUps(
  { id, workspace_id, fields, redaction, follow_ups }: Checked,
  before?: Checked,
): Promise<PropertyError[]> {
  const known = isDeepStrictEqual(redaction, before?.redaction) ? (before?.follow_ups ?? []) : [];
  const changed = (follow_ups ?? []).map((each, index) => ({ ...each, path: `follow_ups.${index}` }));
  const checked = changed.filter(({ path: _, ...each }) => !known.some((former) => isDeepStrictEqual(former, each)));
  if (checked.length === 0) return [];
  const ids = checked.map(({ assistant_id }) => assistant_id);
  const found = await AssistantModel.findExisting(workspace_id).select('id', 'redaction').findByIds(ids);
  return checked.flatMap(({ assistant_id, when, path }) => {
    const next = found.find((each) => each.id === assistant_id);
    const missing = kindsMissing(redaction, next?.redaction);
    const named = `${path}.assistant_id`;
    return [
      ...(assistant_id === id ? [errorAt(named, 'not_assistant:other')] : []),
      ...(next ? [] : [errorAt(named, 'not_assistant')]),
      ...(next && missing.length > 0 ? [errorAt(named, 'redacts_less', { kinds: missing.join(', ') })] : []),
      ...when.flatMap((condition, position) => {
        const fault = findMismatch(condition, fields ?? []);
        return fault ? [errorAt(`${path}.when.${position}`, ...fault)] : [];
      }),
    ];
  });
}
