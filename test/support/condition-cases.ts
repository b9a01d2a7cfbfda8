/** What conditions on fields mean: the filter of the session list and alerts must agree with this table. */
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import { field } from '../activities/fields/fields.ts';

export const CONDITION_FIELDS = [
  field('resolved', 'boolean'),
  field('score', 'integer', { minimum: 1, maximum: 10 }),
  field('amount', 'number'),
  field('reason', 'enum', { options: ['billing', 'delivery', 'other'] }),
  field('order_id', 'string'),
  field('products', 'string_list', { evidence: false }),
];

export const NO_VALUES = Object.fromEntries(CONDITION_FIELDS.map(({ name }) => [name, null]));

const LONG = `${'ё'.repeat(199)}!`;

interface Answered {
  values: Record<string, FieldValue>;
  /** Fields whose quotes were not found. */
  unverified?: string[];
}

/** The results of sessions by a name. */
export const ANSWERS: Record<string, Answered> = {
  good: {
    values: {
      resolved: true,
      score: 8,
      amount: 0.1,
      reason: 'billing',
      order_id: 'A:1',
      products: ['lamp', 'chair', 'lamp'],
    },
  },
  bad: {
    values: { resolved: false, score: 3, amount: -12.5, reason: 'other', order_id: LONG, products: ['red lamp'] },
    unverified: ['score'],
  },
  long: { values: { score: 10, order_id: 'x'.repeat(2_000), products: ['lamp'] } },
  none: { values: {} },
};

/** Conditions, and the results that meet all of them. */
export const CONDITION_CASES: [conditions: string[], met: (keyof typeof ANSWERS)[]][] = [
  [['resolved:eq:true'], ['good']],
  [['resolved:eq:false'], ['bad']],
  [['resolved:ne:true'], ['bad']],
  [
    ['resolved:eq:true', 'resolved:eq:false'],
    ['good', 'bad'],
  ],
  [['score:eq:8'], ['good']],
  [['score:eq:8.0'], ['good']],
  [['score:eq:7'], []],
  [['score:gte:8'], ['good', 'long']],
  [['score:gt:8'], ['long']],
  [['score:lt:8'], ['bad']],
  [['score:lt:1e400'], ['good', 'bad', 'long']],
  [
    ['score:lte:8', 'score:gt:2.5'],
    ['good', 'bad'],
  ],
  [['score:lte:8', 'score:gt:3'], ['good']],
  [['score:ne:8'], ['bad', 'long']],
  [['score:null'], ['none']],
  [['score:not_null'], ['good', 'bad', 'long']],
  [
    ['score:eq:3', 'score:eq:10'],
    ['bad', 'long'],
  ],
  [['score:eq:3', 'score:eq:10', 'score:ne:3'], ['long']],
  [['score:unverified'], ['bad']],
  [['reason:unverified'], []],
  [['score:unverified', 'reason:eq:billing'], []],
  [['amount:eq:0.1'], ['good']],
  [['amount:eq:1e-1'], ['good']],
  [['amount:eq:0.1000000000000000000001'], ['good']],
  [['amount:eq:-12.5'], ['bad']],
  [['amount:lt:-0'], ['bad']],
  [['reason:eq:billing'], ['good']],
  [['reason:eq:Billing.'], ['good']],
  [['reason:eq:delivery'], []],
  [['reason:ne:billing'], ['bad']],
  [['order_id:eq:A:1'], ['good']],
  [['order_id:eq:a:1'], []],
  [[`order_id:eq:${LONG}`], ['bad']],
  [[`order_id:eq:${'x'.repeat(200)}`], ['long']],
  [['products:eq:lamp'], ['good', 'long']],
  [['products:eq:red lamp'], ['bad']],
  [
    ['products:eq:lamp', 'products:eq:chair'],
    ['good', 'long'],
  ],
  [['products:ne:chair'], ['bad', 'long']],
  [['products:eq:lamp', 'products:ne:chair'], ['long']],
  [['products:null'], ['none']],
  [['products:not_null'], ['good', 'bad', 'long']],
  [['products:eq:lamp', 'score:gt:8', 'reason:null'], ['long']],
];
