/** Joins the events of a stream, which some gateways send without being asked for one, to the body of a response. */
import { isObject, parseJson, type Json } from '../policy/read-refusal.ts';

/** Returns the joined body; undefined if the text is neither a stream of JSON events nor a JSON object in each line. */
export function joinStream(text: string): unknown {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const data = lines.flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? []);
  // A single event may have several lines.
  const whole = parseJson(data.join('\n'));
  const events = (whole === undefined ? (data.length > 0 ? data : lines).map(parseJson) : [whole]).filter(isObject);
  return events.length === 0 || (data.length === 0 && events.length < lines.length) ? undefined : joinEvents(events);
}

/** Joins the events of OpenAI's chat and transcriptions, of Anthropic and of Gemini. The last event has the end and the usage. */
export function joinEvents(events: readonly Json[]): unknown {
  const failed = events.find(({ error, type }) => error != null || type === 'error');
  if (failed) return failed;
  const start = events.find(({ type }) => type === 'message_start');
  if (start) return joinMessage(start, events);
  if (events.some(({ choices }) => Array.isArray(choices))) return joinChoices(events);
  if (events.some(({ candidates }) => Array.isArray(candidates))) return joinCandidates(events);
  return joinTranscripts(events);
}

/** Returns the members that any event has; a later event replaces those of an earlier one. */
const merged = (events: readonly Json[]): Json =>
  Object.fromEntries(events.flatMap((event) => Object.entries(event)).filter(([, value]) => value != null));

/** Returns the elements of a list in all events. Those with an index belong to alternatives; only the first is joined. */
const listIn = (events: readonly Json[], name: string): Json[] =>
  events.flatMap((event) => event[name] ?? []).filter((each): each is Json => isObject(each) && !each['index']);

function joinTexts(parts: readonly Json[], name: string): unknown {
  const texts = parts.flatMap((part) => part[name] ?? []);
  if (texts.length === 0) return null;
  return texts.every((text) => typeof text === 'string') ? texts.join('') : texts;
}

function joinChoices(events: readonly Json[]): Json {
  const choices = listIn(events, 'choices');
  const deltas = choices.map(({ delta }) => (delta ?? {}) as Json);
  const names = ['content', 'refusal', 'reasoning_content', 'reasoning'];
  const message = Object.fromEntries(names.map((name) => [name, joinTexts(deltas, name)]));
  return { ...merged(events), choices: [{ message, ...merged(choices) }] };
}

function joinMessage({ message = {} }: Json, events: readonly Json[]): Json {
  const deltas = events.map(({ delta }) => (delta ?? {}) as Json);
  const usage = merged([message as Json, ...events].map((event) => (event['usage'] ?? {}) as Json));
  const content = [{ type: 'text', text: joinTexts(deltas, 'text') ?? '' }];
  return { ...(message as Json), content, stop_reason: merged(deltas)['stop_reason'] ?? null, usage };
}

function joinCandidates(events: readonly Json[]): Json {
  const candidates = listIn(events, 'candidates');
  const parts = candidates.flatMap(({ content }) => ((content as Json | undefined)?.['parts'] ?? []) as Json[]);
  return { ...merged(events), candidates: [{ ...merged(candidates), content: { parts } }] };
}

/** The last event has the whole text, or each has a part. */
function joinTranscripts(events: readonly Json[]): Json {
  const done = events.findLast(({ type }) => type === 'transcript.text.done');
  const segments = events.filter(({ type }) => type === 'transcript.text.segment');
  const texts = events.flatMap(({ text }) => (typeof text === 'string' ? text : []));
  const last = texts.at(-1) ?? '';
  const text = texts.every((each) => last.startsWith(each)) ? last : texts.map((each) => each.trim()).join(' ');
  return { ...merged(events), ...(texts.length > 0 && { text }), ...done, ...(segments.length > 0 && { segments }) };
}
