import { once } from 'node:events';
import { rmSync, truncateSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { replyWithAudio } from '../../../api/sessions/audio.ts';
import type { Problem } from '../../../contract/errors/problem.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { audioFolder, createVoiceSession, fixture, sha256, testAudioStore } from '../../support/audio.ts';
import { createAssistant, createSession, createUser } from '../../support/factories.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestApi } from '../../support/api.ts';
import { recordedLog, silentLog } from '../../support/log.ts';
import { startReceiver } from '../../support/receiver.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useTestApi } from '../../support/set-up.ts';

const BYTES = fixture('tone.mp3');
const SIZE = BYTES.length;

describe('GET /v1/sessions/{id}/audio', () => {
  const api = useTestApi();
  let token: string;
  let workspaceId: string;
  let session: SessionModel;
  beforeEach(async () => {
    ({ token, workspaceId } = await createUser());
    session = await createVoiceSession(await createAssistant(workspaceId, { type: 'voice' }));
  });

  const url = (id = session.id) => `${api.url}/api/v1/sessions/${id}/audio`;
  const fetchAudio = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url(), { method, headers: { Authorization: `Bearer ${token}`, ...headers } });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('returns the recording as it was uploaded, with its type, name and ETag', async () => {
    const response = await fetchAudio();
    expect(response.status).to.equal(200);
    expect(Object.fromEntries(response.headers)).to.deep.include({
      'content-type': 'audio/mpeg',
      'content-length': String(SIZE),
      'content-disposition': 'attachment; filename=call.mp3',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: `"${sha256(BYTES)}"`,
    });
    expect((await bytesOf(response)).equals(BYTES)).to.be.true;
  });

  it('is no error in the log if clients stop it', async () => {
    const { log, find, text } = recordedLog();
    const logged = await stopAfterTest(startTestApi({ log }));
    const bytes = 64 * 1_024 * 1_024;
    truncateSync(join(audioFolder(), session.id), bytes);
    await SessionModel.query()
      .findById(session.id)
      .patch({ audio: { ...session.audio!, bytes } });
    const stops = Array.from({ length: 10 }, async () => {
      const asked = get(`${logged.url}/api/v1/sessions/${session.id}/audio`, {
        headers: { Authorization: `Bearer ${token}` },
      }).on('error', () => undefined);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      await once(response, 'data');
      // A reset and not an end, as browsers send it.
      response.socket.resetAndDestroy();
    });
    await Promise.all(stops);
    await eventually(() => find('"msg":"request"').length, stops.length);
    expect(text()).not.to.contain('"level":"error"');
  });

  it('is an error in the log if the store breaks off', async () => {
    const store = await stopAfterTest(
      startReceiver((response) => {
        response.writeHead(200, { 'Content-Length': SIZE }).write(BYTES.subarray(0, 100));
        setImmediate(() => response.socket?.resetAndDestroy());
      }),
    );
    const { log, find } = recordedLog();
    const env = { AUDIO_STORE: 's3://calls', AUDIO_S3_ENDPOINT: store.url };
    const broken = await stopAfterTest(startTestApi({ log, env }));
    const headers = { Authorization: `Bearer ${token}` };
    const answered = fetch(`${broken.url}/api/v1/sessions/${session.id}/audio`, { headers });
    await answered.then((response) => response.bytes()).catch(() => undefined);
    await eventually(() => find('"msg":"response failed"').length > 0, true);
    expect(find('a client stopped its response')).to.deep.equal([]);
  });

  it('returns a file name in any script, encoded for every client', async () => {
    await SessionModel.query()
      .findById(session.id)
      .patch({ audio: { ...session.audio!, file_name: 'звонок "1" %.mp3' } });
    const disposition = (await fetchAudio()).headers.get('content-disposition');
    expect(disposition).to.equal(
      `attachment; filename="?????? \\"1\\" %.mp3"; filename*=UTF-8''%D0%B7%D0%B2%D0%BE%D0%BD%D0%BE%D0%BA%20%221%22%20%25.mp3`,
    );
  });

  it('answers 206 with exactly the range', async () => {
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-', 0, SIZE - 1],
      ['bytes=100-199', 100, 199],
      [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
      [`bytes=100-${SIZE + 100}`, 100, SIZE - 1],
      ['bytes=-10', SIZE - 10, SIZE - 1],
      [`bytes=-${SIZE + 100}`, 0, SIZE - 1],
      ['Bytes=5-6', 5, 6],
    ] as const) {
      const response = await fetchAudio({ Range: range });
      expect(response.status, range).to.equal(206);
      expect(response.headers.get('content-range')).to.equal(`bytes ${start}-${end}/${SIZE}`);
      expect((await bytesOf(response)).equals(BYTES.subarray(start, end + 1)), range).to.be.true;
    }
  });

  it('returns the whole recording for several or invalid ranges, and 416 for ranges outside', async () => {
    for (const range of ['bytes=0-1,5-6', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes', 'bytes=1e1-20']) {
      const response = await fetchAudio({ Range: range });
      expect(response.status, range).to.equal(200);
      expect((await bytesOf(response)).equals(BYTES), range).to.be.true;
    }
    for (const range of [`bytes=${SIZE}-`, `bytes=${SIZE + 5}-${SIZE + 9}`, 'bytes=-0']) {
      const response = await fetchAudio({ Range: range });
      expect([response.status, response.headers.get('content-range')], range).to.deep.equal([416, `bytes */${SIZE}`]);
      expect(((await response.json()) as Problem).code).to.equal('range_not_satisfiable');
    }
  });

  it('supports If-Range and If-None-Match', async () => {
    const etag = `"${sha256(BYTES)}"`;
    expect((await fetchAudio({ Range: 'bytes=0-1', 'If-Range': etag })).status).to.equal(206);
    expect((await fetchAudio({ Range: 'bytes=0-1', 'If-Range': '"another"' })).status).to.equal(200);
    for (const tags of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const response = await fetchAudio({ 'If-None-Match': tags });
      expect([response.status, await response.text()], tags).to.deep.equal([304, '']);
    }
    expect((await fetchAudio({ 'If-None-Match': '"a"' })).status).to.equal(200);
  });

  it('answers HEAD with the headers of GET', async () => {
    for (const headers of [{}, { Range: 'bytes=1-5' }]) {
      const [head, get] = await Promise.all([fetchAudio(headers, 'HEAD'), fetchAudio(headers)]);
      expect(head.status).to.equal(get.status);
      for (const name of ['content-length', 'content-type', 'content-range', 'etag', 'content-disposition']) {
        expect(head.headers.get(name), name).to.equal(get.headers.get(name));
      }
      expect(await head.text()).to.equal('');
      await get.arrayBuffer();
    }
  });

  it('answers 404 for text sessions, removed recordings and lost files', async () => {
    const text = await createSession(await createAssistant(workspaceId));
    const removed = await createVoiceSession(await createAssistant(workspaceId, { type: 'voice' }));
    await SessionModel.query().findById(removed.id).patch({ audio: null });
    rmSync(join(audioFolder(), session.id));
    for (const { id } of [text, removed, session]) {
      const response = await fetch(url(id), { headers: { Authorization: `Bearer ${token}` } });
      expect(response.status).to.equal(404);
      expect(((await response.json()) as Problem).code).to.equal('not_found');
    }
  });

  it('does not end the process if the client disconnects while the file is being opened', async () => {
    const client = new AbortController();
    const deps = { audio: testAudioStore(), log: silentLog };
    const replying = replyWithAudio(deps, session.audio, { signal: client.signal, isHead: false });
    client.abort();
    const { body } = await replying;
    // Not `once`, which also handles `error` events.
    await new Promise((resolve) => body?.on('close', resolve));
  });
});
