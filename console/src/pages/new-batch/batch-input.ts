import type { BatchFilter, BatchInput } from '../../../../clients/typescript/src/index.ts';
import type { BatchAction } from '../../../../contract/constants.ts';
import { readOverrides } from '../../analysis-settings/read-overrides.ts';

/** Where the settings of a reanalysis come from, beside the number of a version. */
export const PRESENT = 'present';
export const CHANGED = 'changed';

/** Returns what the form asks for. @param values texts of its fields by name. */
export function toBatchInput(values: Record<string, string>, filter: BatchFilter): BatchInput {
  const action = values['action'] as BatchAction;
  const limit = values['max_cost_usd'];
  const common = {
    ...{ action, filter, notify: values['notify'] !== undefined },
    ...(limit && { max_cost_usd: Number(limit) }),
  };
  const settings = values['settings'] ?? PRESENT;
  if (action !== 'reanalyze' || settings === PRESENT) return common;
  if (settings !== CHANGED) return { ...common, version: Number(settings) };
  return { ...common, overrides: readOverrides(values, 'overrides.') };
}
