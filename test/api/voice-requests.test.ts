import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import type { ErrorCode, Problem } from '../../contract/errors.ts';
import type { Session } from '../../contract/sessions.ts';
import { SessionSchema } from '../../contract/sessions.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { sendRaw, startTestApi, testConfig } from '../support/api.ts';
import { fixture, sha256, toneWav } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createOwner, createUser } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { form, FORM_TYPE } from '../support/multipart.ts';
import type { Part } from '../support/multipart.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { testTemporal } from '../support/temporal.ts';

const PATH = '/v1/requests/voice';
const MIB = 1024 * 1024;
const VOICE = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' } as const;

describe('POST /v1/requests/voice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cas-voice-'));
  const env = { AUDIO_STORE: folder, MAX_AUDIO_MIB: '30', UPLOAD_IDLE_S: '1' };
  let api: RunningApi;
  let token: string;
  let assistant: AssistantModel;
  before(async function () {
    this.timeout(0);
    api = await startTestApi({ env });
  });
  after(async () => {
    await api.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    ({ token, assistant } = await createOwner(VOICE));
  });

  /** Every file of the store, finished or not. */
  const stored = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? entry.name : [],
    );

  const id = (): Part => ({ name: 'assistant_id', value: assistant.id });
  const file = (value: string | Uint8Array = fixture('tone.mp3'), filename = 'call.mp3'): Part => ({
    name: 'audio_file',
    value,
    filename,
    type: 'audio/mpeg',
  });

  const post = (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) =>
    sendRaw(api, 'POST', PATH, {
      token,
      body,
      headers: { 'Content-Type': FORM_TYPE, Prefer: 'respond-async', ...headers },
    });

  async function accepted(parts: Part[]): Promise<Session> {
    const answer = await post(form(parts));
    expect(answer.status, JSON.stringify(answer)).to.equal(202);
    const session = SessionSchema.parse(answer.body);
    expect(answer.headers.get('location')).to.equal(`/api/v1/sessions/${session.session_id}`);
    return session;
  }

  const storedAudio = async ({ session_id }: Session) => {
    const { audio } = await SessionModel.query().findById(session_id).throwIfNotFound();
    return audio!;
  };

  /** The problem, after making sure that nothing is left of the upload. */
  async function refused(answer: Promise<{ status: number; problem: Problem }>, code: ErrorCode): Promise<Problem> {
    const before = stored();
    const { problem } = await answer;
    expect(problem.code, JSON.stringify(problem)).to.equal(code);
    await eventually(stored, (names) => names.length <= before.length);
    expect(stored()).to.have.members(before);
    expect(await SessionModel.query().where({ user_id: assistant.user_id }).resultSize()).to.equal(0);
    return problem;
  }

  const refusedForm = (parts: Part[], code: ErrorCode) => refused(post(form(parts)), code);
  const pathsOf = ({ errors = [] }: Problem) => errors.map(({ path }) => path);

  describe('takes a recording', () => {
    for (const [name, media_type, duration_s, file_name] of [
      ['tone.wav', 'audio/wav', 2, 'tone.wav'],
      ['telephone.wav', 'audio/wav', 2, 'telephone.wav'],
      ['tone.mp3', 'audio/mpeg', 2.088, 'tone.mp3'],
      ['vbr-no-header.mp3', 'audio/mpeg', 2.052, 'vbr-no-header.mp3'],
      ['tone.m4a', 'audio/mp4', 2.064, 'tone.m4a'],
      ['video-with-sound.mp4', 'video/mp4', 2.064, 'video-with-sound.mp4'],
      ['tone.aac', 'audio/aac', 2.048, 'tone.aac'],
      ['tone.flac', 'audio/flac', 2, 'tone.flac'],
      ['vorbis.ogg', 'audio/ogg', 2, 'vorbis.ogg'],
      ['opus.ogg', 'audio/ogg', 2, 'opus.ogg'],
      ['tone.webm', 'audio/webm', 2.008, 'tone.webm'],
      ['streamed.webm', 'audio/webm', null, 'streamed.webm'],
    ] as const) {
      it(`stores it as it came and knows it by its bytes: ${name}`, async () => {
        const bytes = fixture(name);
        const session = await accepted([id(), { ...file(bytes, name), type: 'text/plain' }]);
        expect(session).to.deep.include({ type: 'voice', assistant_id: assistant.id, metadata: {}, transcript: null });
        expect(await storedAudio(session)).to.deep.equal({
          ...{ key: session.session_id, file_name, media_type, duration_s },
          ...{ bytes: bytes.length, sha256: sha256(bytes) },
        });
        expect(readFileSync(join(folder, session.session_id)).equals(bytes)).to.be.true;
      });
    }

    it('takes the parts in any order, and metadata as JSON', async () => {
      const metadata: Part = { name: 'metadata', value: '{"call_id":"c-1","город":"Ташкент"}' };
      for (const parts of [
        [id(), metadata, file()],
        [file(), metadata, id()],
        [metadata, file(), id()],
      ]) {
        const session = await accepted(parts);
        expect(session.metadata).to.deep.equal({ call_id: 'c-1', город: 'Ташкент' });
      }
    });

    it('starts a workflow with the id of the session', async () => {
      const { session_id } = await accepted([id(), file()]);
      const { temporal } = await testTemporal();
      const { status } = await temporal.client.workflow.getHandle(session_id).describe();
      expect(status.name).to.equal('RUNNING');
    });

    it('does not believe a header that says more than the bytes can hold', async () => {
      const cut = fixture('tone.mp3').subarray(0, 4_300);
      expect((await storedAudio(await accepted([id(), file(cut)]))).duration_s).to.be.within(0.9, 1.2);
    });

    for (const [sent, kept] of [
      ['../../etc/passwd.mp3', 'passwd.mp3'],
      ['C:\\\\calls\\\\one.MP3', 'one.mp3'],
      ['звонок 1.mp3', 'звонок 1.mp3'],
      ['call.wav', 'call.wav.mp3'],
      ['call', 'call.mp3'],
      ['.', 'recording.mp3'],
      ['..', 'recording.mp3'],
      ['.mp3', 'mp3.mp3'],
      ['a\u202egpj.mp3', 'agpj.mp3'],
      ['<b>|?*:.mp3', 'b.mp3'],
      [`${'й'.repeat(300)}.mp3`, `${'й'.repeat(150)}.mp3`],
    ] as const) {
      it(`keeps a file name that is safe anywhere: ${JSON.stringify(sent.slice(0, 20))}`, async () => {
        const session = await accepted([id(), file(fixture('tone.mp3'), sent)]);
        expect((await storedAudio(session)).file_name).to.equal(kept);
        expect(stored()).to.include(session.session_id);
      });
    }
  });

  describe('refuses before anything is stored, and names the field', () => {
    it('what is not multipart, has no boundary, or is compressed', async () => {
      await refused(post('{}', { 'Content-Type': 'application/json' }), 'unsupported_media_type');
      await refused(post('a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }), 'unsupported_media_type');
      await refused(post('a', { 'Content-Type': 'multipart/mixed; boundary=x' }), 'unsupported_media_type');
      const complete = form([id(), file()]);
      await refused(post(complete, { 'Content-Encoding': 'gzip' }), 'unsupported_media_type');
      for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=é']) {
        const answer = await post(complete, { 'Content-Type': type }).catch(() => undefined);
        if (answer) expect(answer.status, type).to.be.within(400, 415);
      }
      expect(stored()).to.deep.equal(stored().filter((name) => name.startsWith('sess_')));
    });

    it('a form that is cut off, wherever that is', async () => {
      const complete = form([id(), file()]);
      for (const length of [0, 1, 10, 60, 200, 2_000, complete.length - 10, complete.length - 4]) {
        await refused(post(complete.subarray(0, length)), 'malformed_request');
      }
      await refused(post(form([id(), file()], { isComplete: false })), 'malformed_request');
      await refused(post(form([file(), id()], { isComplete: false })), 'malformed_request');
    });

    it('a part with a header that is none', async () => {
      const text = form([id(), file()]).toString('latin1');
      const broken = text.replace('Content-Disposition: form-data; name="audio_file"', 'Content Disposition');
      await refused(post(Buffer.from(broken, 'latin1')), 'malformed_request');
    });

    it('no file, two files, a file under another name, a file that is sent as text', async () => {
      expect(pathsOf(await refusedForm([id()], 'validation_failed'))).to.deep.equal(['audio_file']);
      expect(pathsOf(await refusedForm([id(), file(), file()], 'validation_failed'))).to.deep.equal(['audio_file']);
      const named = { ...file(), name: 'audio' };
      const wrongName = await refusedForm([id(), named], 'validation_failed');
      expect(wrongName.errors).to.deep.include({ path: 'audio', message: 'is not a known field' });
      expect(wrongName.errors).to.deep.include({ path: 'audio_file', message: 'is required' });
      const asText = await refusedForm([id(), { name: 'audio_file', value: 'RIFF' }], 'validation_failed');
      expect(pathsOf(asText)).to.include('audio_file');
    });

    it('fields that are unknown, missing, sent twice, malformed or too long, all at once', async () => {
      const wrong = await refusedForm(
        [
          file(),
          { name: 'assistent_id', value: 'x' },
          { name: '__proto__', value: 'x' },
          { name: 'metadata', value: '{"a":1}' },
        ],
        'validation_failed',
      );
      expect(pathsOf(wrong)).to.have.members(['assistent_id', '__proto__', 'assistant_id', 'metadata.a']);
      for (const metadata of ['nonsense', '[]', '"a"', '{"a":{"b":"c"}}', 'x'.repeat(200_000), '{"a":"\xff"}']) {
        const parts = [id(), { name: 'metadata', value: Buffer.from(metadata, 'latin1') }, file()];
        expect(pathsOf(await refusedForm(parts, 'validation_failed'))[0]).to.match(/^metadata/);
      }
      expect(pathsOf(await refusedForm([id(), id(), file()], 'validation_failed'))).to.deep.equal(['assistant_id']);
      const many = Array.from({ length: 50 }, (_, index) => ({ name: `f${index}`, value: 'x' }));
      await refusedForm([id(), file(), ...many], 'validation_failed');
    });

    it("§4.4 an assistant of the other type, another user's, or none", async () => {
      const text = await createAssistant(assistant.user_id);
      const foreign = await createAssistant((await createUser()).user.id, VOICE);
      for (const value of [text.id, foreign.id, 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7', 'x', '']) {
        for (const parts of [
          [{ name: 'assistant_id', value }, file()],
          [file(), { name: 'assistant_id', value }],
        ]) {
          expect(pathsOf(await refusedForm(parts, 'validation_failed'))).to.deep.equal(['assistant_id']);
        }
      }
    });

    it('an empty file', async () => {
      const { errors } = await refusedForm([id(), file('')], 'validation_failed');
      expect(errors).to.deep.equal([{ path: 'audio_file', message: 'is empty' }]);
    });

    for (const [what, bytes] of [
      ['text under the name of a recording', () => Buffer.from('hello, this is no recording at all\n'.repeat(20))],
      ['a film without sound', () => fixture('video-only.mp4')],
      ['AMR', () => fixture('tone.amr')],
      ['WMA', () => fixture('tone.wma')],
      ['an M4A that was cut before its index', () => fixture('tone.m4a').subarray(0, 4_000)],
      ['one byte', () => Buffer.from('I')],
    ] as const) {
      it(`what is not a recording that vendors take: ${what}`, async () => {
        for (const parts of [
          [id(), file(bytes())],
          [file(bytes()), id()],
        ]) {
          expect(pathsOf(await refusedForm(parts, 'unsupported_media_type'))).to.deep.equal(['audio_file']);
        }
      });
    }

    it("a file over the vendor's limit or our own, announced or not, before or after its assistant", async () => {
      const overWhisper = file(Buffer.alloc(26 * MIB));
      for (const parts of [
        [id(), overWhisper],
        [overWhisper, id()],
      ]) {
        expect(pathsOf(await refusedForm(parts, 'payload_too_large'))).to.deep.equal(['audio_file']);
      }
      assistant = await createAssistant(assistant.user_id, { ...VOICE, stt_provider: 'elevenlabs', stt_model: null });
      expect(pathsOf(await refusedForm([id(), file(Buffer.alloc(31 * MIB))], 'payload_too_large'))).to.deep.equal([
        'audio_file',
      ]);
      // Held to the smaller of both limits, exactly.
      expect((await refusedForm([id(), file(Buffer.alloc(30 * MIB + 1))], 'payload_too_large')).detail).to.contain(
        String(30 * MIB),
      );
      await refusedForm([id(), file(Buffer.alloc(30 * MIB))], 'unsupported_media_type');
    });

    it("a recording longer than the vendor's model takes", async () => {
      assistant = await createAssistant(assistant.user_id, { ...VOICE, stt_model: 'gpt-4o-transcribe' });
      // Its header tells the length: frames that must be counted may take a busy machine longer than they are given.
      const long = toneWav({ channels: 1, seconds: 1_401 });
      const { errors, detail } = await refusedForm([id(), file(long)], 'payload_too_large');
      expect(errors?.[0]?.path).to.equal('audio_file');
      expect(detail).to.contain('1400 s');
    });

    it('an upload that falls silent', async () => {
      const complete = form([id(), file()]);
      const code = await new Promise((resolve, reject) => {
        const upload = openUpload(complete.length, (problem) => resolve(problem.code));
        upload.on('error', reject);
        upload.write(complete.subarray(0, 2_000));
      });
      expect(code).to.equal('request_timeout');
      await eventually(stored, (names) => names.every((name) => name.startsWith('sess_')));
    });

    it('an upload whose client goes away', async () => {
      const before = stored();
      const complete = form([id(), file(Buffer.alloc(5 * MIB))]);
      const upload = openUpload(complete.length, () => undefined);
      upload.on('error', () => undefined);
      upload.write(complete.subarray(0, 2 * MIB));
      await eventually(stored, (names) => names.length > before.length);
      upload.destroy();
      await eventually(stored, (names) => names.length === before.length);
      expect(stored()).to.have.members(before);
      expect(await SessionModel.query().where({ user_id: assistant.user_id }).resultSize()).to.equal(0);
    });
  });

  function openUpload(length: number, answered: (problem: Problem) => void) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': FORM_TYPE, 'Content-Length': length };
    return request(`${api.url}/api${PATH}`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => answered(JSON.parse(text) as Problem));
    });
  }

  it('answers 503 and keeps neither session nor recording when the workflow can not be started', async () => {
    const way = await startTcpProxy({ port: Number((await testTemporal()).address.split(':')[1]) });
    const address = `127.0.0.1:${way.port}`;
    const temporal = await connectTemporal(testConfig({ TEMPORAL_ADDRESS: address }).temporal, silentLog);
    const cutOff = await startTestApi({ env, temporal });
    try {
      await way.refuse();
      const answer = sendRaw(cutOff, 'POST', PATH, {
        token,
        body: form([id(), file()]),
        headers: { 'Content-Type': FORM_TYPE },
      });
      await refused(answer, 'unavailable');
    } finally {
      await cutOff.stop();
      await temporal.connection.close();
      await way.stop();
    }
  });

  it('answers 503 when the store does not take the recording', async () => {
    const blocked = await startTestApi({ env: { ...env, AUDIO_STORE: '/dev/null/audio' } });
    try {
      const answer = sendRaw(blocked, 'POST', PATH, {
        token,
        body: form([id(), file()]),
        headers: { 'Content-Type': FORM_TYPE },
      });
      await refused(answer, 'unavailable');
    } finally {
      await blocked.stop();
    }
  });

  it('is answered 503 in time by a store that says nothing, and leaves nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const other = await startTestApi({
      env: {
        ...{ AUDIO_STORE: 's3://calls', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
        AUDIO_S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        AUDIO_S3_TIMEOUT_S: '1',
      },
    });
    const started = performance.now();
    const body = form([id(), file()]);
    const answer = await sendRaw(other, 'POST', PATH, { token, body, headers: { 'Content-Type': FORM_TYPE } });
    expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(performance.now() - started).to.be.lessThan(5_000);
    expect(await SessionModel.query().where({ user_id: assistant.user_id })).to.deep.equal([]);
    await other.stop();
    await new Promise((resolve) => silent.close(resolve));
  });
});
