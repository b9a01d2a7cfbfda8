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
