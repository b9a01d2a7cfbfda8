/** Twenty fields of all types, a conversation in three languages, and a model's response with all values. */
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';

export const field = (name: string, type: ResultField['type'], rest: Partial<ResultField> = {}): ResultField => ({
  name,
  type,
  description: `What is the ${name}?`,
  evidence: true,
  ...rest,
});

const REASONS = { options: ['Billing', 'Delivery', 'Other'] };

export const TWENTY: readonly ResultField[] = [
  field('resolved', 'boolean'),
  field('refunded', 'boolean'),
  field('angry', 'boolean', { evidence: false }),
  field('score', 'integer', { minimum: 1, maximum: 10 }),
  field('parcels', 'integer'),
  field('days', 'integer', { minimum: 0 }),
  field('amount', 'number', { minimum: 0 }),
  field('discount', 'number', { maximum: 100 }),
  field('weight', 'number'),
  field('order_id', 'string'),
  field('city', 'string'),
  field('promise', 'string'),
  field('phone', 'string'),
  field('constructor', 'string', { evidence: false }),
  field('reason', 'enum', REASONS),
  field('channel', 'enum', { options: ['phone', 'e-mail'], evidence: false }),
  field('language', 'enum', { options: ['en', 'ru', 'uz'] }),
  field('products', 'string_list'),
  field('names', 'string_list'),
  field('links', 'string_list'),
];

export const CONVERSATION: Turn[] = [
  { role: 'operator', text: 'Good morning, how can I help?', start_s: 0, end_s: 2.5 },
  { role: 'client', text: 'You took 184 500 soum from me for order A-104822!', start_s: 3, end_s: 7 },
  {
    role: 'operator',
    text: 'Ещё раз назовите, пожалуйста, номер телефона. Я не вижу платёж.',
    start_s: 7.5,
    end_s: 12,
  },
  { role: 'client', text: 'Toʻlov kecha oʻtdi, yetkazib berish haqida gap yoʻq.', start_s: 12.5, end_s: 16 },
  { role: 'client', text: 'It was for two lamps and a chair.' },
];

/** A response to `TWENTY` by a model that follows the schema. */
export const VALUES: Record<string, unknown[]> = {
  resolved: [false],
  refunded: [],
  angry: [true],
  score: [7],
  parcels: [],
  days: [0],
  amount: [184_500],
  discount: [],
  weight: [],
  order_id: ['A-104822'],
  city: [],
  promise: [],
  phone: [],
  constructor: ['x'],
  reason: ['billing'],
  channel: ['phone'],
  language: [],
  products: ['lamps', 'a chair'],
  names: [],
  links: [],
};

export const QUOTES = [
  { field: 'resolved', turn: 2, quote: 'я не вижу платеж' },
  { field: 'score', turn: 1, quote: 'I am quite satisfied with you' },
  { field: 'days', turn: 3, quote: "To'lov kecha o'tdi" },
  { field: 'amount', turn: 4, quote: 'you took 184,500 soum from me' },
  { field: 'order_id', turn: 1, quote: 'order A-104822' },
  { field: 'reason', turn: 1, quote: 'You took 184 500 soum' },
  { field: 'products', turn: 4, quote: 'two lamps and a chair' },
  { field: 'parcels', turn: 0, quote: 'Good morning' },
];

/** The results that the API returns for this response. */
export const PUBLISHED = {
  resolved: false,
  refunded: null,
  angry: true,
  score: 7,
  parcels: null,
  days: 0,
  amount: 184_500,
  discount: null,
  weight: null,
  order_id: 'A-104822',
  city: null,
  promise: null,
  phone: null,
  constructor: 'x',
  reason: 'Billing',
  channel: 'phone',
  language: null,
  products: ['lamps', 'a chair'],
  names: null,
  links: null,
};
