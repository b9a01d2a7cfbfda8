import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { SessionSchema, type Session } from '../../contract/sessions/sessions.ts';
import dialogue from '../../local/stand-ins/dialogue.json' with { type: 'json' };
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { send, sendRaw } from '../support/api.ts';
import { fixture } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { newFolder } from '../support/new-folder.ts';
import {
  addAssistant,
  register,
  startService,
  untilEnded as untilGone,
  type TestService,
} from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';
import { addVoiceAssistant, submitVoice, providerCalls } from '../support/voice.ts';

const SESSIONS = 6;

/** Temporal detects a dead worker after the heartbeat timeout of 15 s and the sticky queue timeout of 10 s. */
const RECOVERY_TIMEOUT_MS = 90_000;

const ASYNC = { Prefer: 'respond-async' };
const SAID = dialogue.turns.map(({ text }) => text).join(' ');

/**
 * All tests share one crash. Each test's work starts before it. The stand-ins run in this process, so they survive the crash like
 * real providers. Each test uses a different model, to distinguish the calls.
 */
describe('kill -9 of the service, PostgreSQL and Temporal at once, and a start on a copy of the data', function () {
  this.timeout(0);
  const standIns = useStarted(() => startStandIns());
  const receiver = useStarted(() => startReceiver());
  // Its first download never ends.
  const recordings = useStarted(() =>
    startReceiver((response) => {
      if (recordings.requests.length > 1) response.end(fixture('tone.mp3'));
      else response.writeHead(200, { 'Content-Length': 1_000_000 }).write(fixture('tone.mp3'));
    }),
  );
  let service: TestService;
  let folder: string;
  let account: Awaited<ReturnType<typeof register>>;
  let token: string;
  let written: string[];
  let analyzed: Session;
  let transcribing: Session;
  let fetching: Session;
  let postedBefore: number;

  before(async () => {
    const directory = newFolder();
    const standIn = standInEnvironment(PROVIDERS, standIns.url);
    const env = { ...standIn, AUDIO_URL_ALLOW_HOSTS: '127.0.0.1' };
    service = await startService(directory, env);
    account = await register(service);
    ({ token } = account);
    await Promise.all([beginAnalysis(), beginTranscription(), beginDownload()]);
    await beginWritten();
    postedBefore = receiver.requests.length;
    await service.crash();
    // On a copy, because the data may also be restored from one.
    folder = join(newFolder(), 'copy');
    execFileSync('cp', ['-a', directory, folder]);
    // Otherwise the first writes of PostgreSQL wait until the copy is on the disk.
    execFileSync('sync', ['-f', folder]);
    service = await startService(folder, env);
  });
  after(() => service.stop());

  const read = async (id: string) => (await send(service, 'getSession', { token, params: { id } })).body;
  const statuses = () => Promise.all(written.map(async (id) => (await read(id)).status));
  /** Waits for the end of the session. After the crash, the database of a busy machine may not respond immediately. */
  const untilEnded = (id: string) =>
    eventually(
      () => read(id).catch(() => undefined),
      (found) => typeof found?.completed_at === 'string',
      RECOVERY_TIMEOUT_MS,
    ).then((found) => found as Session);

  async function submitSpoken(fields: Record<string, string>, fileName?: string): Promise<string> {
    const { id: assistantId } = await addVoiceAssistant(service, token, fields);
    const name = fileName === undefined ? {} : { fileName };
    return (await submitVoice(service, { token, assistantId, headers: ASYNC, ...name })).session_id;
  }

  const callsTo = async (provider: string) =>
    (await providerCalls(standIns.url)).filter((call) => call.startsWith(`${provider} `));

  async function untilAsked(provider: string, path = ''): Promise<void> {
    await eventually(
      () => callsTo(provider),
      (calls) => calls.some((call) => call.startsWith(`${provider} ${path}`)),
    );
  }

  async function beginAnalysis(): Promise<void> {
    const prompt = 'Summarize. [provider delay_ms=60000 times=1]';
    const id = await submitSpoken({ stt_provider: 'whisper', llm_provider: 'openai', system_prompt: prompt });
    await untilAsked('openai');
    analyzed = await read(id);
  }

  async function beginTranscription(): Promise<void> {
    const fields = { stt_provider: 'aisha', llm_provider: 'anthropic' };
    const id = await submitSpoken(fields, 'call [provider duration_s=300 job_ms=60000].mp3');
    // The job's ID is stored before the first poll.
    await untilAsked('aisha', '/aisha/api/v2/stt/get/');
    transcribing = await read(id);
  }

  async function beginDownload(): Promise<void> {
    const fields = { stt_provider: 'elevenlabs', llm_provider: 'grok' };
    const { id: assistant_id } = await addVoiceAssistant(service, token, fields);
    const body = { assistant_id, audio_url: `${recordings.url}/call.mp3` };
    const answer = await sendRaw(service, 'POST', '/v1/requests/voice', {
      token,
      body: JSON.stringify(body),
      headers: { ...ASYNC, 'Content-Type': 'application/json' },
    });
    fetching = SessionSchema.parse(answer.body);
    await recordings.until(1);
  }

  async function beginWritten(): Promise<void> {
    const assistant = await addAssistant(service, token, { llm_provider: 'gemini', webhook_url: receiver.url });
    written = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, index) => {
        const text = `Call ${index} [provider delay_ms=30000 times=1]`;
        const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
        return (await send(service, 'submitTextRequest', { token, headers: ASYNC, body })).body.session_id;
      }),
    );
    await eventually(statuses, (all) => all.every((status) => status === 'analyzing'));
  }

  async function timelineOf(id: string): Promise<string[]> {
    const { data } = (await send(service, 'getSessionTimeline', { token, params: { id } })).body;
    return data.filter(({ kind }) => kind === 'call').map(({ step, status }) => `${step} ${status}`);
  }

  it('loses none of six sessions that wait for a slow provider, and delivers each once', async () => {
    expect(postedBefore).to.equal(0);
    const ended = await Promise.all(written.map(untilEnded));
    expect(ended.map(({ status }) => status)).to.deep.equal(written.map(() => 'completed'));
    const deliveries = await eventually(
      () =>
        Promise.all(
          written.map(
            async (id) => (await send(service, 'listSessionDeliveries', { token, params: { id } })).body.data,
          ),
        ),
      (all) => all.flat().every(({ status }) => status === 'delivered'),
      RECOVERY_TIMEOUT_MS,
    );
    expect(deliveries.map(({ length }) => length)).to.deep.equal(written.map(() => 1));
    expect(deliveries.flat().map(({ attempts }) => attempts.length)).to.deep.equal(written.map(() => 1));
    const posted = receiver.requests.map(
      ({ body }) => (JSON.parse(body.toString()) as { session_id: string }).session_id,
    );
    expect(posted.sort()).to.deep.equal([...written].sort());
  });

  it('between transcription and analysis causes no second transcription', async () => {
    const { session_id: id, transcript, status } = analyzed;
    expect([status, transcript?.text]).to.deep.equal(['analyzing', SAID]);

    const session = await untilEnded(id);

    expect(session).to.deep.include({ status: 'completed', transcript });
    expect(session.summary_text).to.contain('delivered tomorrow');
    expect(await callsTo('whisper')).to.have.length(1);
    expect(await callsTo('openai')).to.have.length(2);
    expect(await timelineOf(id)).to.deep.equal(['transcription succeeded', 'analysis lost', 'analysis succeeded']);
    const [transcription] = session.cost_breakdown;
    expect(transcription).to.deep.include({ step: 'transcription', calls: 1, cost_usd: 0.0032 });
  });

  it('during a download lets another worker download the recording', async () => {
    expect(fetching.status).to.equal('fetching');
    const session = await untilEnded(fetching.session_id);
    expect(session.status, JSON.stringify(session.error)).to.equal('completed');
    expect(session.audio).to.include({ bytes: fixture('tone.mp3').length });
    expect(recordings.requests).to.have.length(2);
  });

  it('during a job of Aisha causes no second job, and the session gets the transcript of the first', async () => {
    const { session_id: id, transcript } = transcribing;
    expect(transcript).to.equal(null);

    const session = await untilEnded(id);

    expect(session.status).to.equal('completed');
    expect(session.transcript).to.deep.include({ text: SAID, duration_s: 300 });
    expect(session.conversation).to.have.length(dialogue.turns.length);
    const uploads = (await callsTo('aisha')).filter((call) => call.endsWith('/post/'));
    expect(uploads).to.deep.equal(['aisha /aisha/api/v1/stt/post/', 'aisha /aisha/api/v2/stt/post/']);
    // A busy machine may repeat the analysis.
    const transcriptions = (await timelineOf(id)).filter((call) => call.startsWith('transcription'));
    expect(transcriptions).to.deep.equal(['transcription succeeded']);
  });

  it('loses no recording, account or assistant; SIGTERM then ends the service without remains', async () => {
    const audio = await send(service, 'getSessionAudio', { token, params: { id: analyzed.session_id } });
    expect(audio.status).to.equal(200);
    const { email, password } = account;
    const { body } = await send(service, 'login', { body: { email, password } });
    const { data } = (await send(service, 'listAssistants', { token: body.token })).body;
    expect(data).to.have.length(4);
    const pids = service.findPids();
    expect(pids).to.have.length.above(2);
    expect(await service.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    await untilGone(pids);
    expect(readdirSync(join(folder, 'run')).filter((file) => file.endsWith('.pid'))).to.deep.equal([]);
    expect(existsSync(join(folder, 'endpoints.json'))).to.equal(false);
  });
});
