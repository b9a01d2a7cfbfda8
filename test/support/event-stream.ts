/** A client of `GET /v1/events` that records all events. */
import { expect } from 'chai';
import { API_BASE } from '../../contract/values/constants.ts';
import { EVENT_SCHEMAS, type EventName, type ServerEvent } from '../../contract/service/events.ts';

export interface TestEventStream {
  status: number;
  headers: Headers;
  events: ServerEvent[];
  /** Number of comments, which the server sends as keep-alive. */
  beats(): number;
  isOver(): boolean;
  close(): void;
}

/** Opens the stream. Checks each event against the contract. */
export async function openEventStream(
  api: { url: string },
  headers: Record<string, string>,
  base = API_BASE,
): Promise<TestEventStream> {
  const leaving = new AbortController();
  const { signal } = leaving;
  const response = await fetch(`${api.url}${base}/v1/events`, { headers, signal });
  const state = { events: [] as ServerEvent[], beats: 0, isOver: false };
  void read(response, state).catch(() => (state.isOver = true));
  return {
    status: response.status,
    headers: response.headers,
    events: state.events,
    beats: () => state.beats,
    isOver: () => state.isOver,
    close: () => leaving.abort(),
  };
}

async function read(response: Response, state: { events: ServerEvent[]; beats: number; isOver: boolean }) {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) state.beats += 1;
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (event !== undefined) state.events.push(parse(event as EventName, data ?? ''));
    }
  }
  state.isOver = true;
}

function parse(event: EventName, text: string): ServerEvent {
  const data: unknown = JSON.parse(text);
  expect(EVENT_SCHEMAS[event].parse(data)).to.deep.equal(data);
  return { event, data } as ServerEvent;
}
