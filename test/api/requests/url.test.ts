import { SessionSchema, type Session } from '../../../contract/sessions/sessions.ts';
import { AudioSourceModel } from '../../../db/models/audio-source.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send, sendRaw } from '../../support/api.ts';
import { fixture, sha256 } from '../../support/audio.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createOwner, VOICE } from '../../support/factories.ts';
import { printHistory } from '../../support/history.ts';
import { recordedLog } from '../../support/log.ts';
import { startReceiver, type Answering } from '../../support/receiver.ts';
import { useTestService } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { workflowOf } from '../../support/temporal.ts';

const TONE = fixture('tone.mp3');
const sendTone: Answering = (response) => response.end(TONE);

/** Occurs nowhere else, so a match shows that a part of the URL or of its headers is kept. */
const SIGNATURE = 'signature-of-the-url';
const PASSWORD = 'password-of-the-host';

describe('A recording submitted by URL', () => {
  const { log, text: logged } = recordedLog();
  const service = useTestService({ log });
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner(VOICE));
  });

  const serve = (answer: Answering) => stopAfterTest(startReceiver(answer));

  function post(fields: object, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ assistant_id: assistant.id, ...fields });
    const json = { 'Content-Type': 'application/json', ...headers };
    return sendRaw(service.api, 'POST', '/v1/requests/voice', { token, body, headers: json });
  }

  async function submit(fields: object, headers: Record<string, string> = {}): Promise<Session> {
    const answer = await post(fields, { Prefer: 'respond-async', ...headers });
    expect(answer.status).to.equal(202);
    return SessionSchema.parse(answer.body);
  }

  const read = async (id: string) => (await send(service.api, 'getSession', { token, params: { id } })).body;

  const untilEnded = (id: string) =>
    eventually(
      () => read(id),
      ({ completed_at }) => completed_at !== null,
    );

  it('is downloaded after a failure, and no part of its URL is kept', async () => {
    const hold = Promise.withResolvers<void>();
    const server = await serve((response, { headers }) => {
      if (server.requests.length === 1) response.writeHead(404).end();
      else if (headers.authorization === PASSWORD) void hold.promise.then(() => response.end(TONE));
    });
    const audio_url = `${server.url}/${SIGNATURE}?token=${SIGNATURE}`;
    const fields = {
      audio_url,
      audio_headers: { Authorization: PASSWORD },
      file_name: 'call.mp3',
      metadata: { a: 'b' },
    };
    const { session_id: id, status, audio_source } = await submit(fields);
    const host = new URL(server.url).host;
    expect(status).to.equal('fetching');
    expect(audio_source).to.include({ host, attempts: 0, last_failure: null });
    await server.until(2);
    const failing = await read(id);
    expect(failing.status).to.equal('fetching');
    expect(failing.audio_source).to.include({ attempts: 2, last_failure: 'http_status', status_code: 404 });
    const kept = JSON.stringify([await AudioSourceModel.query().findById(id), await SessionModel.query().findById(id)]);
    hold.resolve();

    const session = await untilEnded(id);

    expect(session.status, JSON.stringify(session.error)).to.equal('completed');
    expect(session).to.deep.include({ metadata: { a: 'b' } });
    const facts = { host, attempts: 2, bytes_received: TONE.length, bytes_total: TONE.length, last_failure: null };
    expect(session.audio_source).to.include({ ...facts, status_code: null, next_attempt_at: null });
    const row = await SessionModel.query().findById(id).throwIfNotFound();
    expect(row.audio).to.include({ sha256: sha256(TONE), file_name: 'call.mp3', media_type: 'audio/mpeg' });
    expect(await AudioSourceModel.query().findById(id)).to.equal(undefined);
    const { body: exported } = await send(service.api, 'exportSessions', { token, query: { format: 'jsonl' } });
    const history = printHistory(await (await workflowOf(id)).fetchHistory());
    const places = { kept, log: logged(), history, exported, shown: JSON.stringify([failing, session, row]) };
    for (const [place, text] of Object.entries(places)) {
      expect(String(text), place).not.to.match(new RegExp(`${SIGNATURE}|${PASSWORD}`));
    }
  });

  it('that is a web page is rejected, and is analyzed after a retry with another URL', async () => {
    const server = await serve((response, { path }) => {
      if (path === '/call') response.end(TONE);
      else response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Log in</title>');
    });
    const { status, problem, headers } = await post({ audio_url: `${server.url}/page` });
    expect([status, problem.code, problem.stage, problem.retryable]).to.deep.equal([
      422,
      'audio_rejected',
      'fetch',
      false,
    ]);
    expect(problem.detail).to.contain('web page');
    const id = problem.session_id!;
    expect(headers.get('location')).to.equal(`/api/v1/sessions/${id}`);
    const retry = (body: object) => send(service.api, 'retrySession', { token, params: { id }, body });
    expect((await retry({ audio_headers: { A: 'b' } })).paths).to.deep.equal(['audio_headers']);
    expect((await retry({ audio_url: 'http://10.0.0.1/' })).paths).to.deep.equal(['audio_url']);
    const again = await retry({ audio_url: `${server.url}/call` });
    expect([again.status, again.body.status]).to.deep.equal([200, 'completed']);
    expect(again.body.audio_source).to.include({ attempts: 1 });
    expect((await retry({ audio_url: `${server.url}/call` })).problem.code).to.equal('conflict');
  });

  it('that failed is retried with the same URL within a day, and then needs another one', async () => {
    const server = await serve((response) => {
      if (server.requests.length < 3) response.writeHead(403).end();
      else response.end(TONE);
    });
    const { problem } = await post({ audio_url: server.url });
    expect([problem.code, problem.retryable]).to.deep.equal(['audio_unreachable', true]);
    const params = { id: problem.session_id! };
    expect((await send(service.api, 'retrySession', { token, params })).problem.code).to.equal('audio_unreachable');
    const aged = { completed_at: new Date(Date.now() - 25 * 3_600_000) };
    const [{ completed_at }] = (await SessionModel.query().select('completed_at').where(params)) as [SessionModel];
    await AudioSourceModel.removeExpired();
    expect(await AudioSourceModel.query().findById(params.id)).not.to.equal(undefined);
    await SessionModel.query().patch(aged).where(params);
    await AudioSourceModel.removeExpired();
    await SessionModel.query().patch({ completed_at }).where(params);
    const refused = await send(service.api, 'retrySession', { token, params });
    expect([refused.problem.code, refused.problem.detail]).to.deep.equal([
      'conflict',
      'The URL of the recording was deleted. Send audio_url.',
    ]);
    const body = { audio_url: server.url };
    expect((await send(service.api, 'retrySession', { token, params, body })).body.status).to.equal('completed');
  });

  it('is canceled at once while it is downloaded', async () => {
    const server = await serve((response) => void response.writeHead(200).write('RIFF'));
    const { session_id: id } = await submit({ audio_url: server.url });
    await server.until(1);
    const canceled = await send(service.api, 'cancelSession', { token, params: { id } });
    expect([canceled.status, canceled.body.status]).to.deep.equal([200, 'canceled']);
    await AudioSourceModel.removeExpired();
    expect(await AudioSourceModel.query().findById(id)).to.equal(undefined);
  });

  it('has one session per Idempotency-Key and URL, also with other headers', async () => {
    const server = await serve(sendTone);
    const key = { 'Idempotency-Key': 'once' };
    const { session_id: id } = await submit({ audio_url: server.url }, key);
    const again = await post({ audio_url: server.url, audio_headers: { Authorization: 'new' } }, key);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
    expect((again.body as Session).session_id).to.equal(id);
    expect((await post({ audio_url: `${server.url}/b` }, key)).problem.code).to.equal('idempotency_key_reused');
  });

  it('counts as the same recording if its link was signed again', async () => {
    const server = await serve(sendTone);
    const signed = (query: string) => ({ audio_url: `${server.url}/call.mp3?id=7&${query}` });
    for (const [name, first, second] of [
      ['S3', 'X-Amz-Date=1&X-Amz-Expires=60&X-Amz-Signature=a', 'X-Amz-Signature=b&X-Amz-Date=2&X-Amz-Expires=60'],
      ['CloudFront', 'Expires=1&Signature=a&Key-Pair-Id=k', 'Expires=2&Signature=b&Key-Pair-Id=k'],
      ['Google', 'X-Goog-Expires=9&X-Goog-Signature=a', 'X-Goog-Expires=9&X-Goog-Signature=b'],
      ['Azure', 'sv=1&se=1&sp=r&sig=a', 'sv=1&se=2&sp=r&sig=b'],
      ['nginx', 'md5=a&expires=1', 'md5=b&expires=2'],
      ['token', 'access_token=a', 'access_token=b'],
    ] as const) {
      const key = { 'Idempotency-Key': name };
      const { session_id } = await submit(signed(first), key);
      const again = await post(signed(second), key);
      expect([again.status, (again.body as Session).session_id], name).to.deep.equal([200, session_id]);
      const other = await post({ audio_url: `${server.url}/call.mp3?id=8&${second}` }, key);
      expect(other.problem.code, name).to.equal('idempotency_key_reused');
    }
  });

  it('fails with the advice to send a new link if the old one may have expired', async () => {
    for (const status of [401, 403, 410]) {
      const server = await serve((response) => response.writeHead(status).end());
      const { session_id } = await submit({ audio_url: server.url });
      const { error } = await untilEnded(session_id);
      expect(error).to.deep.include({ code: 'audio_unreachable', reason: 'fetch_expired', retryable: true });
      expect(error?.message).to.match(/HTTP 4\d\d: the link may have expired/);
    }
  });

  it('is refused if the request is not valid', async () => {
    const text = await createAssistant(assistant.workspace_id);
    const audio_url = 'https://calls.example.com/a.mp3';
    for (const [fields, path] of [
      [{}, 'audio_url'],
      [{ audio_url: 'https://ada:secret@calls.example.com/' }, 'audio_url'],
      [{ audio_url: 'file:///etc/passwd' }, 'audio_url'],
      [{ audio_url: 'http://calls.example.com:25/' }, 'audio_url'],
      [{ audio_url: 'http://169.254.169.254/latest/meta-data' }, 'audio_url'],
      [{ audio_url: 'http://127.0.0.2/' }, 'audio_url'],
      [{ audio_url, assistant_id: text.id }, 'assistant_id'],
      [{ audio_url, audio_headers: { Host: 'a' } }, 'audio_headers'],
      [{ audio_url, audio_headers: { 'X-Forwarded-For': 'a' } }, 'audio_headers'],
      [{ audio_url, audio_headers: { a: '1', b: '2', c: '3', d: '4', e: '5', f: '6' } }, 'audio_headers'],
      [{ audio_url, audio_headers: { a: 'line\nbreak' } }, 'audio_headers.a'],
      [{ audio_url, file: 'a' }, 'file'],
    ] as const) {
      const answer = await post(fields);
      expect([answer.status, answer.paths], JSON.stringify(fields)).to.deep.equal([422, [path]]);
    }
    expect(await SessionModel.query().where({ workspace_id: assistant.workspace_id })).to.deep.equal([]);
  });
});
