import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { cancelSession, retrySession } from '../../contract/session-operations.ts';
import { getSession, getSessionAudio } from '../../contract/sessions.ts';
import type { Session } from '../../contract/sessions.ts';
import dialogue from '../../local/vendors/dialogue.json' with { type: 'json' };
import { send } from '../support/api.ts';
import { audioFolder } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { addVoiceAssistant, sendVoice, submitVoice, vendorCalls } from '../support/voice.ts';

const SAID = dialogue.turns.map(({ text }) => text).join(' ');

const FAILS_ONCE = 'Summarise. [vendor status=400 times=1]';

describe('what is left of a spoken conversation', () => {
  let service: TestService;
  let token: string;
  let assistantId: string;
  before(async () => {
    ({ token } = await createUser());
  });
  afterEach(() => service.vendors.pass());
  after(() => service?.stop());

  async function restartWith(env: Record<string, string>): Promise<void> {
    await service?.stop();
    service = await startTestService({ env });
  }

  async function assistantThat(system_prompt = 'Summarise.'): Promise<void> {
    ({ id: assistantId } = await addVoiceAssistant(service.api, token, { stt_provider: 'whisper', system_prompt }));
  }

  /** The id of a session that fails. */
  async function submitFailing(stage: 'transcription' | 'analysis', fileName?: string): Promise<string> {
    const request = { token, assistantId, ...(fileName !== undefined && { fileName }) };
    const { problem } = await sendVoice(service.api, request);
    expect(problem).to.include({ code: 'provider_failed', stage });
    return problem.session_id!;
  }

  const retry = (id: string) => send(service.api, retrySession, { token, params: { id } });
  const read = async (id: string): Promise<Session> =>
    (await send(service.api, getSession, { token, params: { id } })).body;

  const transcriptions = async () => {
    const calls = await vendorCalls(`http://127.0.0.1:${service.vendors.port}`);
    return calls.filter((call) => call.startsWith('whisper ')).length;
  };

  /** Whether the recording is there: in the API's answer, and as a file. */
  async function hasRecording(id: string): Promise<boolean[]> {
    const { status } = await send(service.api, getSessionAudio, { token, params: { id } });
    return [status === 200, existsSync(join(audioFolder(), id))];
  }

  const untilRemoved = (id: string) =>
    eventually(
      () => hasRecording(id),
      (found) => !found.includes(true),
    );

  describe('whose analysis failed for good', () => {
    before(async function () {
      this.timeout(0);
      await restartWith({});
    });

    it('is its transcript, and a retry pays for no second one', async () => {
      await assistantThat(FAILS_ONCE);
      const id = await submitFailing('analysis');
      const failed = await read(id);
      expect(failed).to.include({ status: 'failed', summary_text: null });
      expect(failed.transcript?.text).to.equal(SAID);
      expect(failed.conversation).to.have.length(dialogue.turns.length);

      const { body: session } = await retry(id);

      expect(session.status).to.equal('completed');
      expect(session.summary_text).to.contain('parcel');
      expect(session.transcript).to.deep.equal(failed.transcript);
      expect(await transcriptions()).to.equal(1);
      const calls = session.cost_breakdown.map(({ step, calls: count }) => `${step} ${count}`);
      expect(calls).to.deep.equal(['transcription 1', 'analysis 2']);
      expect(await hasRecording(id)).to.deep.equal([true, true]);
    });
  });

  describe('with AUDIO_RETENTION_DAYS=0', () => {
    before(async function () {
      this.timeout(0);
      await restartWith({ AUDIO_RETENTION_DAYS: '0' });
    });
    beforeEach(() => assistantThat());

    it('is no recording once it is completed', async () => {
      const session = await submitVoice(service.api, { token, assistantId });
      expect(session.status).to.equal('completed');
      await untilRemoved(session.session_id);
      expect((await read(session.session_id)).transcript?.text).to.equal(SAID);
    });

    it('is no recording once its analysis failed: a retry goes on with the transcript', async () => {
      await assistantThat(FAILS_ONCE);
      const before = await transcriptions();
      const id = await submitFailing('analysis');
      await untilRemoved(id);
      expect((await retry(id)).body).to.include({ status: 'completed' });
      expect(await transcriptions()).to.equal(before + 1);
    });

    it('is its recording where the transcription failed in a way that may pass, until a retry completes it', async () => {
      await service.vendors.refuse();
      const id = await submitFailing('transcription');
      await service.vendors.pass();
      expect(await hasRecording(id)).to.deep.equal([true, true]);
      const { body: session } = await retry(id);
      expect(session.status).to.equal('completed');
      expect(session.transcript?.text).to.equal(SAID);
      await untilRemoved(id);
    });

    it('is no recording where the vendor cannot take it: no retry could mend that', async () => {
      const id = await submitFailing('transcription', 'call [vendor status=400].mp3');
      await untilRemoved(id);
      expect((await retry(id)).problem).to.include({ code: 'conflict' });
    });

    it('is no recording once it is canceled', async () => {
      service.vendors.hang();
      const headers = { Prefer: 'respond-async' };
      const { session_id: id } = await submitVoice(service.api, { token, assistantId, headers });
      await eventually(
        () => read(id),
        ({ status }) => status === 'transcribing',
      );
      const { body } = await send(service.api, cancelSession, { token, params: { id } });
      expect(body.status).to.equal('canceled');
      await untilRemoved(id);
    });
  });
});
