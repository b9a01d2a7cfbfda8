/** The codes of field errors. The API sends them beside its English messages, so that the console can word them. */

/** The messages of each code. `{name}` is a parameter. The first message that matches determines the code. */
export const FIELD_MESSAGES = {
  wrong_password: ['is not the current password'],
  wrong_code: ['is wrong, has expired or was used'],
  bad_link: ['is invalid, was used or has expired: request a new link'],
  required_fallback: ['is required: {variable} is not set, so there is no default'],
  required: [
    'is required',
    'is required for {purpose}',
    'is required to {purpose}',
    'needs {other}',
    'requires {other}',
    'the answer does not have this field',
  ],
  unknown_field: ['is not a known field'],
  empty: ['must not be empty', 'must not be empty, because {reason}', 'must not be blank', 'is empty'],
  min_characters: ['must have at least {min} characters', 'Too small: expected string to have >={min} characters'],
  max_characters: [
    'must have at most {max} characters when percent-encoded',
    'must have at most {max} characters',
    'Too big: expected string to have <={max} characters',
    'a text of more than {max} characters',
    'more than {max} characters',
  ],
  too_many: [
    'must have at most {max} {unit}',
    'Too big: expected {type} to have <={max} {unit}',
    'has more than {max} fields',
    '{count} values, more than the maximum of {max}',
  ],
  too_few: [
    'must have at least {min} {unit}',
    'must name at least {min} {unit}',
    'Too small: expected {type} to have >={min} {unit}',
    'must name llm_provider or stt_provider',
  ],
  too_much: ['is too much: {what} may have {max} {unit} in all'],
  too_large: ['is larger than {max} bytes'],
  server_maximum: ['must be at most {max}, the {variable} of this server'],
  minimum: ['Too small: expected {type} to be >={min}'],
  maximum: ['Too big: expected {type} to be <={max}'],
  above: ['Too small: expected {type} to be >{min}'],
  below: ['Too big: expected {type} to be <{max}', 'must be less than {max}'],
  cost_minimum: ['must be at least {min}, the maximum estimated cost'],
  option: ['Invalid option: expected one of {options}', 'Invalid discriminator value. Expected {options}'],
  type: ['Invalid input: expected {type}, received {received}', 'Invalid input: expected {type}'],
  invalid: ['Invalid input'],
  multiple: ['Invalid number: must be a multiple of {step}'],
  text: ['must be text, not a file'],
  email: ['must be an email address', 'Invalid email address'],
  integer: ['must be an integer'],
  bounds: ['must not be less than the minimum'],
  url: ['must be an http or https URL without credentials'],
  port: ['must not have a port that browsers block'],
  private_address: ['leads to a private or reserved address'],
  characters: ['must not contain NUL or unpaired surrogates', 'is not valid UTF-8'],
  key_format: ['must be 1 to 40 lower-case letters, digits and _, and begin with a letter'],
  printable: [
    'must be 1 to {max} printable ASCII characters without spaces',
    'must be 1 to {max} printable ASCII characters',
  ],
  id: ['must be an id that starts with {prefix}'],
  unique: [
    'must be unique, ignoring case',
    'must name each {unit} once',
    'must name each only once',
    'must not repeat a group',
    'must have different names',
    'is used by another field',
    'is sent more than once',
  ],
  only_voice: ['is only for voice assistants'],
  only_for: ['only the {other}', 'only a {other}', '{what}: only with `format=jsonl`', 'this action costs nothing'],
  combined: ["can't be combined with {other}", 'belongs to another sort order', 'is in `unsure`, too'],
  order: ['must not be before {other}', 'must be before {other}', 'must not be after {other}'],
  period: ['is too early: the period has more than {max} {unit}', 'must be at most {max} days before `to`'],
  rows: ['returns more than {max} rows: use {advice}', 'matches more than {max} {unit}, the limit of a batch'],
  not_assistant: ['is not an assistant in your workspace'],
  assistant_type: ['is a {type} assistant; this endpoint accepts {wanted} assistants'],
  not_version: ['is not a version of this assistant'],
  not_speaker: ['is not a speaker of this session; its speakers: {speakers}'],
  not_field: ['is not a field of this session', 'the assistant has no field {field}; its fields: {fields}'],
  operators: ['{field} has the type {type}, whose operators are {operators}'],
  boolean: ['{field} must be true or false'],
  number: ['{field} must be a number', 'must be a number'],
  not_set: ['is not set for this assistant'],
  fixed: ['cannot be changed; create another assistant'],
  other_provider: ['must be another provider than the one it replaces'],
  no_key: ['this server has no {what} for {provider}: {variable} is not set'],
  model_not_allowed: ['{model} is not allowed: {rules} the allowed models'],
  channels: [
    '{provider} transcribes at most {max} channels',
    '{provider} does not transcribe channels separately; use {providers}',
  ],
  languages: ['{provider} transcribes only {languages}'],
  redaction: ["this server can't redact {kind}: REDACTION_URL is not set"],
  cost_unknown: [
    "can't be set, because the price of {model} is unknown",
    'cannot be checked, because the cost with these settings is unknown',
  ],
  common_password: ['is one of the most common passwords: choose another one'],
  scopes: ['must be scopes of {holder}, which does not have {scopes}'],
  expiry: ['must not be later than the expiry of this token, {time}'],
  tokens: ['must be keep or revoke, because the member created the API tokens {names}'],
  ended_only: ["can't be pending, because only ended deliveries are redelivered"],
  headers: ['must not contain headers that the service sets itself, such as Host, Range or Content-Type'],
  audio_channels: ["{has}; the assistant's channel_roles name {count}"],
  audio_length: ["is {length} s long; the assistant's speech-to-text model accepts {max} s"],
  audio_type: ['is {type}; {model} accepts {types}'],
  silent: ['has no sound, or less than {min} s of it', 'contains no sound'],
  damaged: ['has no index (moov): {advice}', 'is damaged: its tracks cannot be read'],
  not_audio: [
    'contains {codec} sound, which is not supported; {advice}',
    '{what}; send WAV, MP3, M4A, MP4, AAC, FLAC, OGG, Opus or WebM',
  ],
  one_value: ['{count} values instead of one'],
  range: ['{value} is less than {limit}', '{value} is more than {limit}'],
  not_an_option: ['{value} is not one of the options'],
  wrong_type: ['{value} is not {type}'],
  format: [
    'must be {format}',
    'Invalid string: must match pattern {format}',
    'is not a known time zone',
    'is not known to the database',
    'Invalid {format}',
  ],
} as const satisfies Record<string, readonly string[]>;

export type FieldCode = keyof typeof FIELD_MESSAGES;
export const FIELD_CODES = Object.keys(FIELD_MESSAGES) as [FieldCode, ...FieldCode[]];

/** Messages as texts at even places, with the names of parameters between them. */
const PATTERNS = FIELD_CODES.flatMap((code) =>
  FIELD_MESSAGES[code].map((message) => ({ code, parts: message.split(/\{(\w+)\}/) })),
);

/** Returns the parameters of a message that has these parts, or undefined. A parameter has at least one character. */
function readParams(message: string, [start = '', ...rest]: readonly string[]): Record<string, string> | undefined {
  if (rest.length === 0) return message === start ? {} : undefined;
  if (!message.startsWith(start)) return undefined;
  const params: Record<string, string> = {};
  let from = start.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', text = ''] = rest.slice(index);
    const isLast = index + 2 === rest.length;
    const end =
      isLast && message.endsWith(text) ? message.length - text.length : isLast ? -1 : message.indexOf(text, from + 1);
    if (end <= from) return undefined;
    params[name] = message.slice(from, end);
    from = end + text.length;
  }
  return params;
}

/** Returns the code and the parameters of a message; undefined for a message without a code. */
export function codeOf(message: string): { code: FieldCode; params?: Record<string, string> } | undefined {
  for (const { code, parts } of PATTERNS) {
    const params = readParams(message, parts);
    if (params) return { code, ...(parts.length > 1 && { params }) };
  }
  return undefined;
}
