/** The API client. Requests go to the same origin, so the browser sends the login cookie, which scripts can't read. */
import { client } from 'conversation-analysis-client';
import { setServerTime } from '../format/clock.ts';
import { watch } from './connection.ts';
import { sendWithPrompts } from './prompts.ts';
import { apiBase, history } from './workspace.ts';

client.setConfig({
  baseUrl: apiBase(),
  credentials: 'same-origin',
  fetch: (request) => sendWithPrompts(new Request(request), send),
});

history.subscribe(() => client.setConfig({ baseUrl: apiBase() }));

async function send(request: Request): Promise<Response> {
  const response = await watch(fetch(request));
  setServerTime(response.headers.get('Date'));
  return response;
}
