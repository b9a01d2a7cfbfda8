/** Orders, filters and shared parts of sessions whose values the console needs too. */
const SORTED = ['created_at', 'occurred_at', 'completed_at', 'total_cost', 'length'] as const;

/** `-` is descending. */
export const SESSION_SORTS = [
  ...SORTED.flatMap((name) => [name, `-${name}`] as const),
  'updated_at',
  'random',
] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

export const REVIEW_FILTERS = [
  'reviewed',
  'unreviewed',
  'corrected',
  'sampled',
  'unsampled',
  'single',
  'disputed',
] as const;
export type ReviewFilter = (typeof REVIEW_FILTERS)[number];

/** `reviewed`: the answer of the review where there is one. */
export const VALUE_SOURCES = ['model', 'reviewed'] as const;
export type ValueSource = (typeof VALUE_SOURCES)[number];

/** How the model's value compares with the right answer. `unsure`: the reviewer does not know the answer. */
export const MARKS = ['right', 'wrong', 'missed', 'invented', 'unsure'] as const;
export type Mark = (typeof MARKS)[number];

/** Whether the quotes of the model's value were found. `none`: no value, or no quotes were requested. */
export const QUOTE_STATES = ['verified', 'unverified', 'none'] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

/** What a link can show of a session or of a batch of reanalyses. */
export const SHARED_OF = { session: ['summary', 'fields', 'conversation'], batch: ['verdict', 'settings'] } as const;
export const SHARE_PARTS = [...SHARED_OF.session, ...SHARED_OF.batch] as const;
export type SharePart = (typeof SHARE_PARTS)[number];
