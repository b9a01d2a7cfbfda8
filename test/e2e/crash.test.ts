import { expect } from 'chai';
import { PROVIDERS } from '../../contract/constants.ts';
import { getSession } from '../../contract/sessions.ts';
import type { Session } from '../../contract/sessions.ts';
import { listSessionDeliveries } from '../../contract/deliveries.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import dialogue from '../../local/vendors/dialogue.json' with { type: 'json' };
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { RunningVendors } from '../../local/vendors/server.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { addAssistant, newDirectory, register, removeDirectories, startService } from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice, vendorCalls } from '../support/voice.ts';

const SESSIONS = 10;

/** The worker's death is seen after its heartbeat time-out, 15 s, and that of its sticky queue, 10 s. */
const RECOVERY_TIMEOUT_MS = 90_000;

const ASYNC = { Prefer: 'respond-async' };
const SAID = dialogue.turns.map(({ text }) => text).join(' ');

/**
 * One crash for all of them: what each was at is brought about before it. The stand-ins of the vendors run in this
 * process, and so outlive what is killed, as vendors do; each conversation asks a model of its own, to tell calls apart.
 */
describe('kill -9 of the service, PostgreSQL and Temporal at once', () => {
  let vendors: RunningVendors;
  let receiver: Receiver;
  let service: TestService;
  let token: string;
  /** Sessions by what they were at. */
  let written: string[];
  let analyzed: Session;
  let transcribing: Session;
  let postedBefore: number;

  before(async function () {
    this.timeout(0);
    [vendors, receiver] = await Promise.all([startVendors(), startReceiver()]);
    const directory = newDirectory();
    const env = standInEnvironment(PROVIDERS, vendors.url) as Record<string, string>;
    service = await startService(directory, env);
    ({ token } = await register(service));
    await Promise.all([beginAnalysis(), beginTranscription()]);
    await beginWritten();
    postedBefore = receiver.requests.length;
    await service.crash();
    service = await startService(directory, env);
  });
  after(async function () {
    this.timeout(0);
    await service.stop();
    await Promise.all([receiver.stop(), vendors.stop()]);
    removeDirectories();
  });

  const read = async (id: string) => (await send(service, getSession, { token, params: { id } })).body;
  const statuses = () => Promise.all(written.map(async (id) => (await read(id)).status));
  const untilEnded = (id: string) =>
    eventually(
      () => read(id),
      ({ completed_at }) => completed_at !== null,
      RECOVERY_TIMEOUT_MS,
    );

  async function submitSpoken(fields: Record<string, string>, fileName?: string): Promise<string> {
    const { id: assistantId } = await addVoiceAssistant(service, token, fields);
    const name = fileName === undefined ? {} : { fileName };
    return (await submitVoice(service, { token, assistantId, headers: ASYNC, ...name })).session_id;
  }

  const callsTo = async (vendor: string) =>
    (await vendorCalls(vendors.url)).filter((call) => call.startsWith(`${vendor} `));

  async function untilAsked(vendor: string, path = ''): Promise<void> {
    await eventually(
      () => callsTo(vendor),
      (calls) => calls.some((call) => call.startsWith(`${vendor} ${path}`)),
    );
  }

  async function beginAnalysis(): Promise<void> {
    const prompt = 'Summarise. [vendor delay_ms=60000 times=1]';
    const id = await submitSpoken({ stt_provider: 'whisper', llm_provider: 'openai', system_prompt: prompt });
    await untilAsked('openai');
    analyzed = await read(id);
  }

  async function beginTranscription(): Promise<void> {
    const fields = { stt_provider: 'aisha', llm_provider: 'anthropic' };
    const id = await submitSpoken(fields, 'call [vendor duration_s=300 job_ms=20000].mp3');
    // Asked for, its id is stored.
    await untilAsked('aisha', '/aisha/api/v2/stt/get/');
    transcribing = await read(id);
  }

  async function beginWritten(): Promise<void> {
    const assistant = await addAssistant(service, token, { llm_provider: 'gemini', webhook_url: receiver.url });
    written = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, index) => {
        const text = `Call ${index} [vendor delay_ms=30000 times=1]`;
        const body = { assistant_id: assistant.id, conversation: [{ role: 'client', text }] };
        return (await send(service, submitTextRequest, { token, headers: ASYNC, body })).body.session_id;
      }),
    );
    await eventually(statuses, (all) => all.every((status) => status === 'analyzing'));
  }

  async function timelineOf(id: string): Promise<string[]> {
    const { data } = (await send(service, getSessionTimeline, { token, params: { id } })).body;
    return data.filter(({ kind }) => kind === 'call').map(({ step, status }) => `${step} ${status}`);
  }

  it('loses none of ten sessions that wait for a slow vendor, and delivers each once', async function () {
    this.timeout(0);
    expect(postedBefore).to.equal(0);
    const ended = await Promise.all(written.map(untilEnded));
    expect(ended.map(({ status }) => status)).to.deep.equal(written.map(() => 'completed'));
    const deliveries = await eventually(
      () =>
        Promise.all(
          written.map(async (id) => (await send(service, listSessionDeliveries, { token, params: { id } })).body.data),
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

  it('between transcription and analysis leads to no second transcription', async function () {
    this.timeout(0);
    const { session_id: id, transcript, status } = analyzed;
    expect([status, transcript?.text]).to.deep.equal(['analyzing', SAID]);

    const session = await untilEnded(id);

    expect(session).to.deep.include({ status: 'completed', transcript });
    expect(session.summary_text).to.contain('parcel');
    expect(await callsTo('whisper')).to.have.length(1);
    expect(await callsTo('openai')).to.have.length(2);
    expect(await timelineOf(id)).to.deep.equal(['transcription succeeded', 'analysis lost', 'analysis succeeded']);
    const [transcription] = session.cost_breakdown;
    expect(transcription).to.deep.include({ step: 'transcription', calls: 1, cost_usd: 0.0032 });
  });

  it("while Aisha's job runs leads to no second job, and the session ends with the first one's transcript", async function () {
    this.timeout(0);
    const { session_id: id, transcript } = transcribing;
    expect(transcript).to.equal(null);

    const session = await untilEnded(id);

    expect(session.status).to.equal('completed');
    expect(session.transcript).to.deep.include({ text: SAID, duration_s: 300 });
    expect(session.conversation).to.have.length(dialogue.turns.length);
    const uploads = (await callsTo('aisha')).filter((call) => call.endsWith('/post/'));
    expect(uploads).to.deep.equal(['aisha /aisha/api/v1/stt/post/', 'aisha /aisha/api/v2/stt/post/']);
    expect(await timelineOf(id)).to.deep.equal(['transcription succeeded', 'analysis succeeded']);
  });
});
