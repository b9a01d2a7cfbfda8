/** The period and the conditions of the page of results, as its URL names them. */
import { conditionsOf } from '../../fields/conditions.ts';
import { clean, numberOf, oneOf } from '../../search/parse.ts';
import { PERIODS } from '../../search/period.ts';

export const parseResultsSearch = (raw: Record<string, unknown>) =>
  clean({ range: oneOf(raw, 'range', PERIODS), version: numberOf(raw, 'version'), field: conditionsOf(raw) });

export type ResultsSearch = ReturnType<typeof parseResultsSearch>;
