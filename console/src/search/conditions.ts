import { MAX_FIELD_CONDITIONS, parseCondition } from '../../../contract/fields/conditions.ts';

/** Returns the valid conditions in a URL; undefined if there are none. */
export function conditionsOf(raw: Record<string, unknown>): string[] | undefined {
  const given = [raw['field']].flat().filter((each): each is string => typeof each === 'string');
  const conditions = given.filter((each) => parseCondition(each) !== undefined);
  return conditions.length === 0 ? undefined : conditions.slice(0, MAX_FIELD_CONDITIONS);
}
