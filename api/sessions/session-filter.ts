/** Reads filters of sessions from queries and bodies. */
import { findMismatch } from '../../contract/fields/conditions.ts';
import { groupConditions, type FieldFilter } from '../../contract/fields/field-rows.ts';
import { errorAt } from '../../contract/errors/field-errors.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import type { SessionFilterQuery } from '../../contract/sessions/session-filter.ts';
import { isMetadataGroup, metadataKeyOf } from '../../contract/values/metadata-group.ts';
import { AssistantFieldModel, type KnownField } from '../../db/models/assistant-field.ts';
import type { GroupedBy } from '../../db/queries/group-sessions.ts';
import type { ListedFilter } from '../../db/queries/list-sessions.ts';
import { invalid, invalidAt } from '../errors.ts';

type Flag = string | boolean | undefined;
type FlagName = 'simulated' | 'trial' | 'reanalysis';

const toBoolean = (flag: Flag) => (flag === undefined ? undefined : String(flag) === 'true');

/**
 * Returns the filter of a query or a body. Bodies have flags as booleans. Throws `validation_failed` if
 * the assistant never had the field of a condition, or the condition does not fit the field's type.
 */
export async function readSessionFilter(
  workspaceId: string,
  query: Omit<SessionFilterQuery, FlagName> & { [K in FlagName]?: Flag },
): Promise<ListedFilter> {
  const { simulated, trial, reanalysis, field, ...exact } = query;
  const { assistant_id, assistant_version } = exact;
  if (assistant_id === undefined) {
    const path = field ? 'field' : 'assistant_version';
    if (field ?? assistant_version) throw invalidAt(path, 'required:requires', { other: '`assistant_id`' });
  }
  return {
    ...exact,
    simulated: toBoolean(simulated),
    trial: toBoolean(trial),
    reanalysis: toBoolean(reanalysis),
    ...(field &&
      assistant_id !== undefined && {
        fields: toFieldFilters(await AssistantFieldModel.findKnown(workspaceId, assistant_id), field),
      }),
  };
}

/** Returns the conditions by field. Throws one `validation_failed` that names every invalid condition. */
export function toFieldFilters(known: readonly KnownField[], field: readonly string[]): FieldFilter<KnownField>[] {
  const errors = field.flatMap((text, index): PropertyError[] => {
    const fault = findMismatch(text, known);
    return fault ? [errorAt(`field.${index}`, ...fault)] : [];
  });
  if (errors.length > 0) throw invalid(...errors);
  return groupConditions(field, known);
}

/** Returns what sessions are grouped by. Throws `validation_failed` if the assistant never had the field. */
export async function readGroup(workspaceId: string, name: string, assistantId?: string): Promise<GroupedBy> {
  if (name === 'metadata') return name;
  if (isMetadataGroup(name)) return { key: metadataKeyOf(name) };
  if (assistantId === undefined) throw invalidAt('group_by', 'required:requires', { other: '`assistant_id`' });
  const known = await AssistantFieldModel.findKnown(workspaceId, assistantId);
  const [, wanted = ''] = name.split('field.');
  const field = known.find((each) => each.name === wanted);
  if (field) return { field };
  const fields = known.map((each) => each.name).join(', ') || 'none';
  throw invalidAt('group_by', 'not_field:assistant', { field: wanted, fields });
}
