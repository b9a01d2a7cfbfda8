/** Limits of inputs in characters, except where another unit is named. The console's forms use them too, so this file imports nothing. */
export const LIMITS = {
  /** Names of people, workspaces, tokens, batches and models, and searches. */
  name: 200,
  url: 2_048,
  secret: 512,
  /** Names of speakers and alerts. */
  role: 64,
  /** Alerts per assistant. */
  alerts: 5,
  /** Follow-ups per assistant. */
  followUps: 5,
  /** Fields per assistant. */
  fields: 50,
  fieldTitle: 80,
  fieldName: 40,
  fieldQuestion: 500,
  summary: 20_000,
  /** Terms of a vocabulary, characters and words of each. ElevenLabs takes no longer ones. */
  terms: 100,
  term: 50,
  termWords: 5,
  turnNote: 1_000,
  viewName: 60,
  password: { min: 8, max: 256 },
  code: { min: 6, max: 40 },
  tokenDays: { min: 1, max: 3_650 },
};

/** From when on something needs attention. */
export const ATTENTION_LIMITS = {
  /** A single failed call is repeated after seconds. */
  waitsMs: 30_000,
  queuedMs: 600_000,
  storageShare: 0.9,
  budgetShare: 0.8,
};
