/** Checks the follow-ups of an assistant. */
import { isDeepStrictEqual } from 'node:util';
import { errorAt } from '../../contract/errors/field-errors.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import { AssistantModel, type NewAssistant } from '../../db/models/assistant.ts';
import { checkWhen } from './alerts.ts';

type Checked = Pick<NewAssistant, 'workspace_id' | 'fields' | 'follow_ups'> & { id?: string };

/**
 * Returns an error for each follow-up that is not another assistant, and each condition that does not match the fields. Follow-ups that
 * are unchanged since `before` are not checked.
 */
export async function checkFollowUps(
  { id: own, workspace_id, fields, follow_ups }: Checked,
  before?: Checked,
): Promise<PropertyError[]> {
  if (!follow_ups || isDeepStrictEqual(follow_ups, before?.follow_ups)) return [];
  const ids = follow_ups.map(({ assistant_id }) => assistant_id);
  const found = await AssistantModel.findExisting(workspace_id).select('id').findByIds(ids);
  return follow_ups.flatMap((each, index) => {
    if (before?.follow_ups?.some((former) => isDeepStrictEqual(former, each))) return [];
    const path = `follow_ups.${index}`;
    const isOther = found.some(({ id }) => id === each.assistant_id && id !== own);
    const errors = checkWhen(path, each.when, fields);
    return isOther ? errors : [errorAt(`${path}.assistant_id`, 'not_assistant:other'), ...errors];
  });
}
