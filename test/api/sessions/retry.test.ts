import { createSweepLostSessions } from '../../../activities/sweeps/sweep-lost-sessions.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { requeueSession } from '../../../db/queries/session-status.ts';
import { send } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { startApiWithoutTemporal } from '../../support/api-without-temporal.ts';
import { eventually } from '../../support/eventually.ts';
import { createSession, VOICE } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { testTemporal } from '../../support/temporal.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const FAILED = {
  status: 'failed',
  error: { code: 'unavailable', stage: 'analysis', provider: 'openai', message: 'm', retryable: true },
} as const;

describe('POST /v1/sessions/{id}/retry', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  const retry = (id: string, headers: Record<string, string> = {}, api = service.api) =>
    send(api, 'retrySession', { token: owner.token, params: { id }, headers });

  const callsOf = async (id: string) => ProviderCallModel.findOfSession(id);

  /** Submits a session that fails, because the provider refuses the first `times` calls. */
  async function submitFailing(times = 1): Promise<string> {
    const id = await owner.submit(`[provider status=400 times=${times}]`);
    expect((await owner.untilEnded(id)).status).to.equal('failed');
    return id;
  }

  it('runs a failed session again under its ID, and returns the result', async () => {
    const id = await submitFailing();
    const failed = await owner.read(id);
    const { status, headers, body } = await retry(id);
    expect([status, body.session_id, body.status, body.error]).to.deep.equal([200, id, 'completed', null]);
    expect(body.summary_text).to.be.a('string');
    expect(body.conversation).to.deep.equal(failed.conversation);
    expect(body.created_at).to.equal(failed.created_at);
    expect(headers.get('location')).to.equal(`/api/v1/sessions/${id}`);
    expect(body.cost_breakdown[0]?.calls).to.equal(2);
    const timeline = await send(service.api, 'getSessionTimeline', { token: owner.token, params: { id } });
    const queued = timeline.body.data.filter(({ step }) => step === 'queue');
    expect(queued.map(({ attempt, status: wait }) => `${attempt} ${wait}`)).to.deep.equal(['1 waited', '2 waited']);
  });

  it('works right after the failure, before the workflow has closed', async () => {
    const retryAtOnce = async () => {
      const id = await owner.submit('[provider status=400 times=1]');
      await owner.untilStatus(id, 'failed');
      expect((await retry(id)).body.status).to.equal('completed');
    };
    await Promise.all(Array.from({ length: 5 }, retryAtOnce));
  });

  it('waits for the end of the retry, even if a notification of the former run arrives late', async () => {
    const id = await submitFailing();
    service.providers.hang();
    const answer = retry(id);
    await owner.untilStatus(id, 'analyzing');
    await SessionModel.knex().raw('select pg_notify(?, ?)', [SESSION_FINISHED_CHANNEL, id]);
    await service.providers.pass();
    const { status, body } = await answer;
    expect([status, body.status]).to.deep.equal([200, 'completed']);
  });

  it('can fail again, any number of times', async () => {
    const id = await submitFailing(3);
    for (let round = 0; round < 2; round++) {
      const { problem } = await retry(id);
      expect(problem).to.include({ code: 'provider_failed', session_id: id, stage: 'analysis' });
    }
    expect((await retry(id)).body.status).to.equal('completed');
    expect(await callsOf(id)).to.have.length(4);
  });

  it('never pays for a finished transcription again', async () => {
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    owner = await createSessionOwner(() => service.api, VOICE);
    const session = await createVoiceSession(owner.assistant, { ...FAILED, completed_at: new Date(), transcript });
    const { body } = await retry(session.id);
    expect(body).to.deep.include({ status: 'completed', transcript, conversation: session.conversation });
    expect((await callsOf(session.id)).map(({ step }) => step)).to.deep.equal(['analysis']);
  });

  it('repeats a failed transcription', async () => {
    owner = await createSessionOwner(() => service.api, VOICE);
    const fields = { ...FAILED, completed_at: new Date(), conversation: null };
    const session = await createVoiceSession(owner.assistant, fields);
    const { body } = await retry(session.id);
    expect(body.status).to.equal('completed');
    expect(body.transcript?.text).to.be.a('string');
    expect((await callsOf(session.id)).map(({ step }) => step)).to.deep.equal(['transcription', 'analysis']);
  });

  it('starts one run if it is called concurrently', async () => {
    const id = await submitFailing();
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry(id)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array<number>(7).fill(409)]);
    expect(await callsOf(id)).to.have.length(2);
  });

  it('is started by the sweep if the process died before the start', async () => {
    const id = await submitFailing();
    await requeueSession(id);
    const { temporal } = await testTemporal();
    const sweepSessions = createSweepLostSessions({ client: temporal.client, log: silentLog });
    const sweep = async () => {
      const check_after = new Date(Date.now() - 1_000);
      await SessionModel.query().patch({ check_after }).where({ id });
      return sweepSessions();
    };
    // If the failed workflow is still closing, the next sweep starts the session.
    const session = await eventually(
      async () => sweep().then(() => owner.read(id)),
      ({ completed_at }) => completed_at !== null,
    );
    expect(session).to.include({ status: 'completed', error: null });
    expect(await callsOf(id)).to.have.length(2);
  });

  it('is accepted during an outage of Temporal, and queued', async () => {
    const id = await submitFailing();
    const api = await stopAfterTest(startApiWithoutTemporal(service.env));
    const { status, body } = await retry(id, {}, api);
    expect([status, body.status, body.error]).to.deep.equal([202, 'queued', null]);
  });

  it('is kept if a replay of its request cannot start it', async () => {
    const { id } = await createSession(owner.assistant, { ...FAILED, completed_at: new Date() });
    await requeueSession(id);
    expect(await SessionModel.withdraw(id)).to.equal(false);
    expect((await owner.read(id)).status).to.equal('queued');
  });

  it('answers 409 if the recording is removed and there is no transcript', async () => {
    const fields = { ...FAILED, completed_at: new Date(), type: 'voice' as const, conversation: null };
    const session = await createSession(owner.assistant, fields);
    expect((await retry(session.id)).problem.code).to.equal('conflict');
    expect((await owner.read(session.id)).status).to.equal('failed');
  });
});
