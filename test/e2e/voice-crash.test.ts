import { expect } from 'chai';
import { getSession } from '../../contract/sessions.ts';
import type { Session } from '../../contract/sessions.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import dialogue from '../../local/vendors/dialogue.json' with { type: 'json' };
import { PROVIDERS } from '../../contract/constants.ts';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { RunningVendors } from '../../local/vendors/server.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newDirectory, register, removeDirectories, startService } from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';
import { addVoiceAssistant, submitVoice, vendorCalls } from '../support/voice.ts';

/** The worker's death is seen after its heartbeat time-out, 15 s, and that of its sticky queue, 10 s. */
const RECOVERY_TIMEOUT_MS = 90_000;

const SAID = dialogue.turns.map(({ text }) => text).join(' ');

/** The stand-ins run in this process, and so outlive what is killed, as vendors do. */
describe('kill -9 of the service while a spoken conversation is under way', () => {
  let vendors: RunningVendors;
  let service: TestService | undefined;
  let directory: string;
  let token: string;
  beforeEach(async function () {
    this.timeout(0);
    vendors = await startVendors();
    directory = newDirectory();
    ({ token } = await register(await start()));
  });
  afterEach(async function () {
    this.timeout(0);
    await service?.stop();
    service = undefined;
    await vendors.stop();
  });
  after(removeDirectories);

  async function start(): Promise<TestService> {
    const env = standInEnvironment(PROVIDERS, vendors.url) as Record<string, string>;
    return (service = await startService(directory, env));
  }

  async function submit(fields: Record<string, string>, fileName?: string): Promise<string> {
    const assistant = await addVoiceAssistant(service!, token, fields);
    const headers = { Prefer: 'respond-async' };
    const request = { token, assistantId: assistant.id, headers, ...(fileName !== undefined && { fileName }) };
    return (await submitVoice(service!, request)).session_id;
  }

  const read = async (id: string): Promise<Session> =>
    (await send(service!, getSession, { token, params: { id } })).body;

  const untilVendorsWereAsked = (call: string) =>
    eventually(
      () => vendorCalls(vendors.url),
      (calls) => calls.some((each) => each.startsWith(call)),
    );

  async function restartAndWait(id: string): Promise<Session> {
    await service!.crash();
    await start();
    return eventually(
      () => read(id),
      ({ completed_at }) => completed_at !== null,
      RECOVERY_TIMEOUT_MS,
    );
  }

  const callsTo = async (vendor: string) =>
    (await vendorCalls(vendors.url)).filter((call) => call.startsWith(`${vendor} `));

  async function timelineOf(id: string): Promise<string[]> {
    const { data } = (await send(service!, getSessionTimeline, { token, params: { id } })).body;
    return data.filter(({ kind }) => kind === 'call').map(({ step, status }) => `${step} ${status}`);
  }

  it('between transcription and analysis leads to no second transcription', async function () {
    this.timeout(0);
    const prompt = 'Summarise. [vendor delay_ms=60000 times=1]';
    const id = await submit({ stt_provider: 'whisper', system_prompt: prompt });
    await untilVendorsWereAsked('openai ');
    const { transcript, status } = await read(id);
    expect([status, transcript?.text]).to.deep.equal(['analyzing', SAID]);

    const session = await restartAndWait(id);

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
    const id = await submit({ stt_provider: 'aisha' }, 'call [vendor duration_s=300 job_ms=15000].mp3');
    // Asked for, its id is stored.
    await untilVendorsWereAsked('aisha /aisha/api/v2/stt/get/');
    expect((await read(id)).transcript).to.equal(null);

    const session = await restartAndWait(id);

    expect(session.status).to.equal('completed');
    expect(session.transcript).to.deep.include({ text: SAID, duration_s: 300 });
    expect(session.conversation).to.have.length(dialogue.turns.length);
    const uploads = (await callsTo('aisha')).filter((call) => call.endsWith('/post/'));
    expect(uploads).to.deep.equal(['aisha /aisha/api/v1/stt/post/', 'aisha /aisha/api/v2/stt/post/']);
    expect(await timelineOf(id)).to.deep.equal(['transcription succeeded', 'analysis succeeded']);
  });
});
