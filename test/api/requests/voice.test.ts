import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectAudio } from '../../../runtime/audio/inspect-audio.ts';
import type { ErrorCode } from '../../../contract/errors/errors.ts';
import type { Problem } from '../../../contract/errors/problem.ts';
import { SessionSchema, type Session } from '../../../contract/sessions/sessions.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { errorAt } from '../../../contract/errors/field-errors.ts';
import { sendRaw, startTestApi } from '../../support/api.ts';
import { startApiWithoutTemporal } from '../../support/api-without-temporal.ts';
import { fixture, fixturePath, sha256, toneWav } from '../../support/audio.ts';
import { eventually } from '../../support/eventually.ts';
import { MADE_RECORDINGS } from '../../support/made-recordings.ts';
import { createAssistant, createOwner, createUser, VOICE } from '../../support/factories.ts';
import { form, FORM_TYPE, type Part } from '../../support/multipart.ts';
import { useTestApi } from '../../support/set-up.ts';
import { workflowOf } from '../../support/temporal.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const PATH = '/v1/requests/voice';
const MIB = 1024 * 1024;

describe('POST /v1/requests/voice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cas-voice-'));
  const env = { AUDIO_STORE: folder, MAX_AUDIO_MIB: '26' };
  const api = useTestApi({ env });
  let token: string;
  let assistant: AssistantModel;
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    ({ token, assistant } = await createOwner(VOICE));
  });

  /** Returns the names of all files in the store, finished or not. */
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

  /** Returns the problem, and checks that nothing of the upload is left. */
  async function refused(answer: Promise<{ status: number; problem: Problem }>, code: ErrorCode): Promise<Problem> {
    const before = stored();
    const { problem } = await answer;
    expect(problem.code, JSON.stringify(problem)).to.equal(code);
    await eventually(stored, (names) => names.length <= before.length);
    expect(stored()).to.have.members(before);
    expect(await SessionModel.query().where({ workspace_id: assistant.workspace_id }).resultSize()).to.equal(0);
    return problem;
  }

  const refusedForm = (parts: Part[], code: ErrorCode) => refused(post(form(parts)), code);
  /** Returns the paths in the problem. */
  const pathsRefused = async (parts: Part[], code: ErrorCode = 'validation_failed') =>
    ((await refusedForm(parts, code)).errors ?? []).map(({ path }) => path);

  describe('accepts a recording', () => {
    it('in every format, recognized by its bytes, and stores it unchanged', async () => {
      // ElevenLabs accepts all of them.
      const elevenlabs = { ...VOICE, stt_provider: 'elevenlabs', stt_model: null } as const;
      assistant = await createAssistant(assistant.workspace_id, elevenlabs);
      for (const [file_name, media_type, duration_s] of [
        ['tone.wav', 'audio/wav', 2],
        ['telephone.wav', 'audio/wav', 2],
        ['tone.mp3', 'audio/mpeg', 2.088],
        ['vbr-no-header.mp3', 'audio/mpeg', 2.052],
        ['tone.m4a', 'audio/mp4', 2.064],
        ['video-with-sound.mp4', 'video/mp4', 2.064],
        ['tone.aac', 'audio/aac', 2.048],
        ['tone.flac', 'audio/flac', 2],
        ['vorbis.ogg', 'audio/ogg', 2],
        ['opus.ogg', 'audio/ogg', 2],
        ['tone.webm', 'audio/webm', 2.008],
        ['streamed.webm', 'audio/webm', null],
      ] as const) {
        const bytes = fixture(file_name);
        const session = await accepted([id(), { ...file(bytes, file_name), type: 'text/plain' }]);
        expect(session).to.deep.include({ type: 'voice', assistant_id: assistant.id, metadata: {}, transcript: null });
        expect(await storedAudio(session), file_name).to.deep.equal({
          key: session.session_id,
          file_name,
          media_type,
          duration_s,
          bytes: bytes.length,
          sha256: sha256(bytes),
        });
        expect(readFileSync(join(folder, session.session_id)).equals(bytes), file_name).to.be.true;
      }
    });

    it('with several audio tracks, and states their number', async () => {
      const session = await accepted([id(), file(fixture('two-tracks.mp4'), 'call.mp4')]);
      expect(session.audio?.tracks).to.equal(2);
      expect((await accepted([id(), file()])).audio?.tracks).to.equal(1);
    });

    it('with its parts in any order and metadata as JSON, and starts its workflow', async () => {
      const metadata: Part = { name: 'metadata', value: '{"call_id":"c-1","город":"Ташкент"}' };
      for (const parts of [
        [id(), metadata, file()],
        [file(), metadata, id()],
        [metadata, file(), id()],
      ]) {
        const session = await accepted(parts);
        expect(session.metadata).to.deep.equal({ call_id: 'c-1', город: 'Ташкент' });
        const { status } = await (await workflowOf(session.session_id)).describe();
        expect(status.name).to.equal('RUNNING');
      }
    });

    it('whose length is measured from its data, not from its header', async () => {
      const cut = fixture('tone.mp3').subarray(0, 4_300);
      expect((await storedAudio(await accepted([id(), file(cut)]))).duration_s).to.be.within(0.9, 1.2);
    });

    it('and stores a file name that is safe on every system', async () => {
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
        const session = await accepted([id(), file(fixture('tone.mp3'), sent)]);
        expect((await storedAudio(session)).file_name).to.equal(kept);
        expect(stored()).to.include(session.session_id);
      }
    });
  });

  describe('refuses, names the field, and stores nothing for', () => {
    it('other media types, no boundary, and compressed bodies', async () => {
      await refused(post('{}', { 'Content-Type': 'text/plain' }), 'unsupported_media_type');
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

    it('a truncated form', async () => {
      const complete = form([id(), file()]);
      for (const length of [0, 1, 10, 60, 200, 2_000, complete.length - 10, complete.length - 4]) {
        await refused(post(complete.subarray(0, length)), 'malformed_request');
      }
      await refused(post(form([id(), file()], { isComplete: false })), 'malformed_request');
      await refused(post(form([file(), id()], { isComplete: false })), 'malformed_request');
    });

    it('a part with an invalid header', async () => {
      const text = form([id(), file()]).toString('latin1');
      const broken = text.replace('Content-Disposition: form-data; name="audio_file"', 'Content Disposition');
      const { errors } = await refused(post(Buffer.from(broken, 'latin1')), 'validation_failed');
      expect(errors?.[0]?.path).to.equal('audio_file');
    });

    it('a file without sound', async () => {
      for (const bytes of [toneWav({ channels: 1 }).subarray(0, 44), fixture('headers-only.ogg')]) {
        const { errors } = await refusedForm([id(), file(bytes)], 'validation_failed');
        expect(errors).to.deep.equal([errorAt('audio_file', 'silent', { min: 0.1 })]);
      }
    });

    it('no file, two files, a file under another name or sent as text, an empty file', async () => {
      expect(await pathsRefused([id()])).to.deep.equal(['audio_file']);
      expect(await pathsRefused([id(), file(), file()])).to.deep.equal(['audio_file']);
      const wrongName = await refusedForm([id(), { ...file(), name: 'audio' }], 'validation_failed');
      expect(wrongName.errors).to.deep.include(errorAt('audio', 'unknown_field'));
      expect(wrongName.errors).to.deep.include(errorAt('audio_file', 'required'));
      expect(await pathsRefused([id(), { name: 'audio_file', value: 'RIFF' }])).to.include('audio_file');
      const { errors } = await refusedForm([id(), file('')], 'validation_failed');
      expect(errors).to.deep.equal([errorAt('audio_file', 'empty:file')]);
    });

    it('unknown, missing, repeated, malformed and too long fields, all at once', async () => {
      const wrong = await pathsRefused([
        file(),
        { name: 'assistent_id', value: 'x' },
        { name: '__proto__', value: 'x' },
        { name: 'metadata', value: '{"a":[1]}' },
      ]);
      expect(wrong).to.have.members(['assistent_id', '__proto__', 'assistant_id', 'metadata.a']);
      for (const metadata of ['nonsense', '[]', '"a"', '{"a":{"b":"c"}}', 'x'.repeat(200_000), '{"a":"\xff"}']) {
        const parts = [id(), { name: 'metadata', value: Buffer.from(metadata, 'latin1') }, file()];
        expect((await pathsRefused(parts))[0]).to.match(/^metadata/);
      }
      expect(await pathsRefused([id(), id(), file()])).to.deep.equal(['assistant_id']);
      const many = Array.from({ length: 50 }, (_, index) => ({ name: `f${index}`, value: 'x' }));
      await refusedForm([id(), file(), ...many], 'validation_failed');
    });

    it('§4.4 an assistant of another type, of another user, or an unknown one', async () => {
      const text = await createAssistant(assistant.workspace_id);
      const foreign = await createAssistant((await createUser()).user.default_workspace_id, VOICE);
      for (const value of [text.id, foreign.id, 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7', 'x', '']) {
        const field = { name: 'assistant_id', value };
        expect(await pathsRefused([field, file()]), value).to.deep.equal(['assistant_id']);
        expect(await pathsRefused([file(), field]), value).to.deep.equal(['assistant_id']);
      }
    });

    it('files that are not recordings, or in formats that no provider accepts', async () => {
      for (const [what, bytes] of [
        ['text', Buffer.from('hello, this is no recording at all\n'.repeat(20))],
        ['a film without sound', fixture('video-only.mp4')],
        ['AMR', fixture('tone.amr')],
        ['WMA', fixture('tone.wma')],
        ['an M4A that was cut before its index', fixture('tone.m4a').subarray(0, 4_000)],
        ['one byte', Buffer.from('I')],
      ] as const) {
        for (const parts of [
          [id(), file(bytes)],
          [file(bytes), id()],
        ]) {
          expect(await pathsRefused(parts, 'unsupported_media_type'), what).to.deep.equal(['audio_file']);
        }
      }
    });

    it("a file above the provider's limit or the service's own", async () => {
      const overWhisper = file(Buffer.alloc(26 * MIB));
      expect(await pathsRefused([id(), overWhisper], 'payload_too_large')).to.deep.equal(['audio_file']);
      expect(await pathsRefused([overWhisper, id()], 'payload_too_large')).to.deep.equal(['audio_file']);
      const { detail } = await refusedForm([id(), overWhisper], 'payload_too_large');
      expect(detail).to.match(
        /^The file is larger than 25 MB .*the limit of Whisper: send MP3 or Opus.* use ElevenLabs \(26 MB\)/,
      );
      const elevenlabs = { ...VOICE, stt_provider: 'elevenlabs', stt_model: null } as const;
      assistant = await createAssistant(assistant.workspace_id, elevenlabs);
      // The smaller limit applies.
      expect((await refusedForm([id(), file(Buffer.alloc(26 * MIB + 1))], 'payload_too_large')).detail).to.contain(
        String(26 * MIB),
      );
      const { detail: ours } = await refusedForm([id(), file(Buffer.alloc(27 * MIB))], 'payload_too_large');
      expect(ours).to.match(/^The file is larger than 26 MB .*the limit of this server \(MAX_AUDIO_MIB\)/);
      await refusedForm([id(), file(Buffer.alloc(26 * MIB))], 'unsupported_media_type');
    });

    it("formats that the assistant's model does not accept, except for models on other servers", async () => {
      for (const [name, type, stt_provider, stt_model] of [
        ['tone.aac', 'audio/aac', 'whisper', 'whisper-1'],
        ['tone.aac', 'audio/aac', 'whisper', 'gpt-4o-transcribe'],
        ['tone.aac', 'audio/aac', 'aisha', null],
        ['tone.flac', 'audio/flac', 'aisha', null],
        ['tone.webm', 'audio/webm', 'aisha', null],
        ['video-with-sound.mp4', 'video/mp4', 'aisha', null],
      ] as const) {
        assistant = await createAssistant(assistant.workspace_id, { ...VOICE, stt_provider, stt_model });
        const { errors = [] } = await refusedForm([id(), file(fixture(name), name)], 'validation_failed');
        expect(errors.map(({ path }) => path)).to.deep.equal(['audio_file']);
        expect(errors[0]?.message, `${name} for ${stt_provider}`).to.contain(type).and.contain('accepts audio/');
      }
      const own = { ...VOICE, stt_model: 'Systran/faster-whisper-small' } as const;
      assistant = await createAssistant(assistant.workspace_id, own);
      await accepted([id(), file(fixture('tone.aac'), 'tone.aac')]);
    });

    it("a recording longer than the provider's model accepts", async () => {
      assistant = await createAssistant(assistant.workspace_id, { ...VOICE, stt_model: 'gpt-4o-transcribe' });
      // A WAV header contains the length. Counting the frames of other formats may take too long on a busy machine.
      const long = toneWav({ channels: 1, seconds: 1_401, rate: 100 });
      const { errors, detail } = await refusedForm([id(), file(long)], 'payload_too_large');
      expect(errors?.[0]?.path).to.equal('audio_file');
      expect(detail).to.contain('1400 s');
    });

    it('an upload that stalls', async () => {
      const complete = form([id(), file()]);
      const impatient = startTestApi({ env, adjust: ({ audio }) => void (audio.uploadIdleMs = 1_000) });
      const { url } = await stopAfterTest(impatient);
      const code = await new Promise((resolve, reject) => {
        const upload = openUpload(complete.length, (problem) => resolve(problem.code), url);
        upload.on('error', reject);
        upload.write(complete.subarray(0, 2_000));
      });
      expect(code).to.equal('request_timeout');
      await eventually(stored, (names) => names.every((name) => name.startsWith('sess_')));
    });

    it('an upload whose client disconnects', async () => {
      const before = stored();
      const complete = form([id(), file(Buffer.alloc(5 * MIB))]);
      const upload = openUpload(complete.length, () => undefined);
      upload.on('error', () => undefined);
      upload.write(complete.subarray(0, 2 * MIB));
      await eventually(stored, (names) => names.length > before.length);
      upload.destroy();
      await eventually(stored, (names) => names.length === before.length);
      expect(stored()).to.have.members(before);
      expect(await SessionModel.query().where({ workspace_id: assistant.workspace_id }).resultSize()).to.equal(0);
    });
  });

  function openUpload(length: number, answered: (problem: Problem) => void, url = api.url) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': FORM_TYPE, 'Content-Length': length };
    return request(`${url}/api${PATH}`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => answered(JSON.parse(text) as Problem));
    });
  }

  it('answers 503 and stores nothing if the workflow cannot be started', async () => {
    const cutOff = await stopAfterTest(startApiWithoutTemporal(env));
    const headers = { 'Content-Type': FORM_TYPE };
    await refused(sendRaw(cutOff, 'POST', PATH, { token, body: form([id(), file()]), headers }), 'unavailable');
  });

  it('answers 503 if the store cannot be written', async () => {
    const blocked = await stopAfterTest(startTestApi({ env: { ...env, AUDIO_STORE: '/dev/null/audio' } }));
    const headers = { 'Content-Type': FORM_TYPE };
    await refused(sendRaw(blocked, 'POST', PATH, { token, body: form([id(), file()]), headers }), 'unavailable');
  });

  it('returns 503 in time if the store does not respond, and stores nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const other = await stopAfterTest(
      startTestApi({
        env: {
          AUDIO_STORE: 's3://calls',
          AUDIO_S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        },
        adjust: ({ audio }) => {
          if (audio.store.kind === 's3') audio.store.idleMs = 1_000;
        },
      }),
    );
    const started = performance.now();
    const body = form([id(), file()]);
    const answer = await sendRaw(other, 'POST', PATH, { token, body, headers: { 'Content-Type': FORM_TYPE } });
    expect(answer.problem).to.include({ status: 503, code: 'unavailable' });
    expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    expect(performance.now() - started).to.be.lessThan(15_000);
    expect(await SessionModel.query().where({ workspace_id: assistant.workspace_id })).to.deep.equal([]);
    silent.close();
  });

  it('does not wait for the recordings of other owners', async () => {
    // A hostile file is inspected until its time is over.
    const slow = join(folder, 'slow.flac');
    writeFileSync(slow, MADE_RECORDINGS['FLAC, short comments']?.(16_000_000) ?? '');
    const ended: string[] = [];
    const measure = (owner: string, path: string) => inspectAudio(path, owner).then(() => void ended.push(owner));
    // Both processes run.
    await Promise.all(['first', 'second'].map((owner) => inspectAudio(fixturePath('tone.mp3'), owner)));
    const greedy = Array.from({ length: 2 }, () => measure('greedy', slow));
    await measure('other', fixturePath('tone.mp3'));
    const first = [...ended];
    await Promise.all(greedy);
    rmSync(slow);
    expect(first).to.deep.equal(['other']);
  });

  it('names the invalid form field even if the whole form arrives at once', async () => {
    const form = new FormData();
    form.set('assistant_id', 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7');
    form.set('audio_file', new Blob(['short']), 'short.wav');
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${api.url}/api${PATH}`, { method: 'POST', headers, body: form });
    const { code, errors } = (await response.json()) as Problem;
    expect(code).to.equal('validation_failed');
    expect(errors).to.deep.equal([errorAt('assistant_id', 'not_assistant')]);
  });
});
