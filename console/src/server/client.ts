/** The API client. Requests go to the same origin, so the browser sends the login cookie, which scripts can't read. */
import { client } from 'conversation-analysis-client';
import { setServerTime } from '../format/clock.ts';
import { watch } from './connection.ts';
import { translate } from './problem.ts';
import { sendWithPrompts } from './prompts.ts';
import { apiBase, history } from './workspace.ts';

client.setConfig({
  baseUrl: apiBase(),
  credentials: 'same-origin',
  fetch: (request) => sendWithPrompts(new Request(request), send),
});

client.interceptors.error.use(translate);

history.subscribe(() => client.setConfig({ baseUrl: apiBase() }));

/** Longer than any response takes. A page then says that none came. */
const TIMEOUT_MS = 60_000;

/** Keys of submissions without a response, by request. The same submission has the same key, so it does not run, and cost, twice. */
const lost = new Map<string, string>();

async function send(request: Request): Promise<Response> {
  const key = request.headers.get('Idempotency-Key');
  if (key === null) return sendOnce(request);
  const submission = `${request.url} ${await request.clone().text()}`;
  const first = lost.get(submission) ?? key;
  lost.set(submission, first);
  request.headers.set('Idempotency-Key', first);
  const response = await sendOnce(request);
  if (response.status < 500) lost.delete(submission);
  return response;
}

async function sendOnce(request: Request): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const sentAt = Date.now();
  const response = await watch(fetch(request, { signal }));
  setServerTime(response.headers.get('Date'), sentAt);
  return response;
}
