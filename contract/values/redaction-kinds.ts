/** What redaction replaces: what its rules find, and what only a recognizer finds. */
export const RULE_KINDS = ['card', 'code', 'id', 'phone', 'email', 'iban'] as const;
export const RECOGNIZER_KINDS = ['name', 'address'] as const;
export const REDACTION_KINDS = [...RULE_KINDS, ...RECOGNIZER_KINDS] as const;
export type RuleKind = (typeof RULE_KINDS)[number];
export type RecognizerKind = (typeof RECOGNIZER_KINDS)[number];
export type RedactionKind = (typeof REDACTION_KINDS)[number];

/** Countries whose national phone numbers redaction knows. */
export const PHONE_REGIONS = ['UZ', 'RU', 'KZ', 'US', 'GB'] as const;
export type PhoneRegion = (typeof PHONE_REGIONS)[number];
