import type { ResultsReport } from '../results.ts';
import type { ResultField, FieldResults } from '../result-fields.ts';

export const fields: ResultField[] = [
  { name: 'resolved', type: 'boolean', description: 'Was the problem solved?', evidence: true },
];

export const fieldResults: FieldResults = {
  fields: { resolved: false },
  evidence: {
    resolved: {
      ...{ verified: true, value_in_quote: null, dropped: 0 },
      quotes: [{ turn: 1, quote: 'My parcel has not arrived', match: 'exact' }],
    },
  },
};

const counts = { count: 42, null_count: 3, unverified_count: 1, mean: null, value_counts: [27, 12] };

export const results: ResultsReport = {
  ...{ from: '2026-11-01', to: '2026-11-21', sessions: 42 },
  fields: [
    {
      ...{ name: 'resolved', type: 'boolean', ...counts, values: [true, false], other_count: 0, numbers: null },
      by_day: [{ day: '2026-11-21', ...counts }],
      by_version: [{ version: 3, ...counts }],
    },
  ],
};
