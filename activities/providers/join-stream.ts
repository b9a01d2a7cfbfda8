/** Joins the events of a stream, which some gateways send without being asked for one, to the body of a response. */

type Json = Record<string, unknown>;

/** Returns the joined body; undefined if the text is not a stream of JSON events. */
export function joinStream(text: string): unknown {
  const data = text.split(/\r?\n|\r/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
  const events = data.flatMap((line) => parseEvent(line));
  return events.length === 0 ? undefined : joinEvents(events);
}

function parseEvent(line: string): Json[] {
  try {
    const event = JSON.parse(line) as unknown;
    return typeof event === 'object' && event !== null ? [event as Json] : [];
  } catch {
    return [];
  }
}

/** Joins the events of OpenAI's chat and transcriptions, of Anthropic and of Gemini. The last event has the end and the usage. */
export function joinEvents(events: readonly Json[]): unknown {
  const failed = events.find(({ error, type }) => error != null || type === 'error');
  if (failed) return failed;
  const [first = {}] = events;
  const last = events.at(-1) ?? first;
  if (events.some(({ choices }) => Array.isArray(choices))) return joinChoices(events);
  if (first['type'] === 'message_start') return joinMessage(events);
  if (events.some(({ candidates }) => Array.isArray(candidates))) return joinCandidates(events);
  return events.findLast(({ text }) => typeof text === 'string') ?? last;
}

/** Returns the members that any event has; a later event replaces those of an earlier one. */
const merged = (events: readonly Json[]): Json =>
  Object.fromEntries(events.flatMap((event) => Object.entries(event)).filter(([, value]) => value != null));

const firstIn = (value: unknown): Json => (Array.isArray(value) ? ((value[0] ?? {}) as Json) : {});

const joinTexts = (parts: readonly Json[], name: string): string | null => {
  const texts = parts.map((part) => part[name]).filter((text) => typeof text === 'string');
  return texts.length === 0 ? null : texts.join('');
};

function joinChoices(events: readonly Json[]): Json {
  const choices = events.map(({ choices: given }) => firstIn(given));
  const deltas = choices.map(({ delta }) => (delta ?? {}) as Json);
  const whole = choices.findLast(({ message }) => message != null);
  const names = ['content', 'refusal', 'reasoning_content', 'reasoning'];
  const message = whole?.['message'] ?? Object.fromEntries(names.map((name) => [name, joinTexts(deltas, name)]));
  return { ...merged(events), choices: [{ ...merged(choices), message }] };
}

function joinMessage(events: readonly Json[]): Json {
  const [start] = events;
  const message = (start?.['message'] ?? {}) as Json;
  const deltas = events.map(({ delta }) => (delta ?? {}) as Json);
  const usage = merged([message, ...events].map((event) => (event['usage'] ?? {}) as Json));
  const content = [{ type: 'text', text: joinTexts(deltas, 'text') ?? '' }];
  return { ...message, content, stop_reason: merged(deltas)['stop_reason'] ?? null, usage };
}

function joinCandidates(events: readonly Json[]): Json {
  const candidates = events.map(({ candidates: given }) => firstIn(given));
  const parts = candidates.flatMap(({ content }) => ((content as Json | undefined)?.['parts'] ?? []) as Json[]);
  return { ...merged(events), candidates: [{ ...merged(candidates), content: { parts } }] };
}
