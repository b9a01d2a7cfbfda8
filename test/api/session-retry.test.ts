import { expect } from 'chai';
import { createSweepLostSessions } from '../../activities/sweeps/sweep-lost-sessions.ts';
import { retrySession } from '../../contract/session-operations.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import { createVoiceSession } from '../support/audio.ts';
import { startApiWithoutTemporal } from '../support/api-without-temporal.ts';
import { eventually } from '../support/eventually.ts';
import { createSession, createUser } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { testTemporal } from '../support/temporal.ts';
import { useSharedService } from '../support/shared-service.ts';

const VOICE = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' } as const;

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
    send(api, retrySession, { token: owner.token, params: { id }, headers });

  const callsOf = async (id: string) => VendorCallModel.findOfSession(id);

  /** The vendor refuses the first `times` calls. */
  async function submitFailing(times = 1): Promise<string> {
    const id = await owner.submit(`[vendor status=400 times=${times}]`);
    expect((await owner.untilEnded(id)).status).to.equal('failed');
    return id;
  }

  it('runs a failed session again under its id, and answers with the result', async () => {
    const id = await submitFailing();
    const failed = await owner.read(id);
    const { status, headers, body } = await retry(id);
    expect([status, body.session_id, body.status, body.error]).to.deep.equal([200, id, 'completed', null]);
    expect(body.summary_text).to.be.a('string');
    expect(body.conversation).to.deep.equal(failed.conversation);
    expect(body.created_at).to.equal(failed.created_at);
    expect(headers.get('location')).to.equal(`/api/v1/sessions/${id}`);
    expect(body.cost_breakdown[0]?.calls).to.equal(2);
    const timeline = await send(service.api, getSessionTimeline, { token: owner.token, params: { id } });
    const queued = timeline.body.data.filter(({ step }) => step === 'queue');
    expect(queued.map(({ attempt, status: wait }) => `${attempt} ${wait}`)).to.deep.equal(['1 waited', '2 waited']);
  });

  it('right after the failure, before its workflow has closed', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await owner.submit('[vendor status=400 times=1]');
      await eventually(
        async () => SessionModel.query().findById(id),
        (row) => row?.status === 'failed',
      );
      expect((await retry(id)).body.status).to.equal('completed');
    }
  });

  it('waits for its own end, not for that of the run before, which may be heard of late', async () => {
    const id = await submitFailing();
    service.vendors.hang();
    const answer = retry(id);
    await eventually(
      () => owner.read(id),
      ({ status }) => status === 'analyzing',
    );
    await SessionModel.knex().raw('select pg_notify(?, ?)', [SESSION_FINISHED_CHANNEL, id]);
    await service.vendors.pass();
    const { status, body } = await answer;
    expect([status, body.status]).to.deep.equal([200, 'completed']);
  });

  it('fails again as a request would, as often as it likes', async () => {
    const id = await submitFailing(3);
    for (let round = 0; round < 2; round++) {
      const { problem } = await retry(id);
      expect(problem).to.include({ code: 'provider_failed', session_id: id, stage: 'analysis' });
    }
    expect((await retry(id)).body.status).to.equal('completed');
    expect(await callsOf(id)).to.have.length(4);
  });

  it('waits no longer than Prefer says', async () => {
    const id = await submitFailing();
    service.vendors.hang();
    const { status, headers, body } = await retry(id, { Prefer: 'respond-async' });
    expect([status, headers.get('preference-applied')]).to.deep.equal([202, 'respond-async']);
    expect(body).to.include({ error: null, completed_at: null });
    await service.vendors.pass();
    expect((await owner.untilEnded(id)).status).to.equal('completed');
  });

  it('never pays for a finished transcription again', async () => {
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    owner = await createSessionOwner(() => service.api, VOICE);
    const session = await createVoiceSession(owner.assistant, { ...FAILED, completed_at: new Date(), transcript });
    const { body } = await retry(session.id);
    expect(body).to.deep.include({ status: 'completed', transcript, conversation: session.conversation });
    expect((await callsOf(session.id)).map(({ step }) => step)).to.deep.equal(['analysis']);
  });

  it('begins with the transcription where that is what failed', async () => {
    owner = await createSessionOwner(() => service.api, VOICE);
    const fields = { ...FAILED, completed_at: new Date(), conversation: null };
    const session = await createVoiceSession(owner.assistant, fields);
    const { body } = await retry(session.id);
    expect(body.status).to.equal('completed');
    expect(body.transcript?.text).to.be.a('string');
    expect((await callsOf(session.id)).map(({ step }) => step)).to.deep.equal(['transcription', 'analysis']);
  });

  it('several times at once gives one run', async () => {
    const id = await submitFailing();
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry(id)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array<number>(7).fill(409)]);
    expect(await callsOf(id)).to.have.length(2);
  });

  it('is started by the sweep when the process died between the row and the start', async () => {
    const id = await submitFailing();
    await SessionModel.requeue(id);
    const { temporal } = await testTemporal();
    const sweepSessions = createSweepLostSessions({ client: temporal.client, log: silentLog, maxSessionsInFlight: 50 });
    const sweep = async () => {
      const check_after = new Date(Date.now() - 1_000);
      await SessionModel.query().patch({ check_after }).where({ id });
      return sweepSessions();
    };
    // The run that failed may still be closing: then the next sweep finds it.
    const session = await eventually(
      async () => sweep().then(() => owner.read(id)),
      ({ completed_at }) => completed_at !== null,
    );
    expect(session).to.include({ status: 'completed', error: null });
    expect(await callsOf(id)).to.have.length(2);
  });

  it('is accepted while Temporal is away, and waits in the queue', async () => {
    const id = await submitFailing();
    const api = await startApiWithoutTemporal(service.env);
    try {
      const { status, body } = await retry(id, {}, api);
      expect([status, body.status, body.error]).to.deep.equal([202, 'queued', null]);
    } finally {
      await api.stop();
    }
  });

  it('is not taken back when a replay of its request cannot start it', async () => {
    const { id } = await createSession(owner.assistant, { ...FAILED, completed_at: new Date() });
    await SessionModel.requeue(id);
    expect(await SessionModel.withdraw(id)).to.equal(false);
    expect((await owner.read(id)).status).to.equal('queued');
  });

  it('answers 409 when the recording is removed and there is no transcript', async () => {
    const fields = { ...FAILED, completed_at: new Date(), type: 'voice' as const, conversation: null };
    const session = await createSession(owner.assistant, fields);
    expect((await retry(session.id)).problem.code).to.equal('conflict');
    expect((await owner.read(session.id)).status).to.equal('failed');
  });

  for (const status of ['queued', 'transcribing', 'analyzing', 'completed', 'canceled'] as const) {
    it(`answers 409 when the session is ${status}, and changes nothing`, async () => {
      const session = await createSession(owner.assistant, { status });
      const { problem } = await retry(session.id);
      expect(problem.code).to.equal('conflict');
      expect(problem.detail).to.contain(status);
      expect(await SessionModel.query().findById(session.id)).to.deep.equal(session);
    });
  }

  it("is 404 for another user's session, which stays as it is", async () => {
    const { id } = await createSession(owner.assistant, { ...FAILED, completed_at: new Date() });
    const { token } = await createUser();
    const { problem } = await send(service.api, retrySession, { token, params: { id } });
    expect(problem.code).to.equal('not_found');
    expect((await owner.read(id)).status).to.equal('failed');
  });
});
