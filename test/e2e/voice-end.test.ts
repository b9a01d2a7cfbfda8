import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../contract/sessions/sessions.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import dialogue from '../../local/stand-ins/dialogue.json' with { type: 'json' };
import { send } from '../support/api.ts';
import { audioFolder, fixture } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { useTestService } from '../support/set-up.ts';
import { addVoiceAssistant, sendVoice, submitVoice, providerCalls } from '../support/voice.ts';

const SAID = dialogue.turns.map(({ text }) => text).join(' ');

describe('The recording of a session, with AUDIO_RETENTION_DAYS=0,', () => {
  const service = useTestService({ env: { AUDIO_RETENTION_DAYS: '0' } });
  let token: string;
  beforeEach(async () => {
    ({ token } = await createUser());
  });
  afterEach(() => service.providers.pass());

  /** Returns a request for a new assistant. */
  async function newRequest({ system_prompt = 'Summarize.', fileName = 'call.mp3' } = {}) {
    const { id } = await addVoiceAssistant(service.api, token, { stt_provider: 'whisper', system_prompt });
    return { token, assistantId: id, fileName };
  }

  /** Submits a recording whose session fails. Returns the ID. */
  async function submitFailing(stage: 'transcription' | 'analysis', options: Parameters<typeof newRequest>[0] = {}) {
    const { problem } = await sendVoice(service.api, await newRequest(options));
    expect(problem).to.include({ code: 'provider_failed', stage });
    return problem.session_id!;
  }

  const retry = (id: string) => send(service.api, 'retrySession', { token, params: { id } });
  const read = async (id: string) => (await send(service.api, 'getSession', { token, params: { id } })).body;

  const countTranscriptions = async () => {
    const calls = await providerCalls(`http://127.0.0.1:${service.providers.port}`);
    return calls.filter((call) => call.startsWith('whisper ')).length;
  };

  /** Returns whether the API and the folder have the recording. */
  async function hasRecording(id: string): Promise<boolean[]> {
    const { status } = await send(service.api, 'getSessionAudio', { token, params: { id } });
    return [status === 200, existsSync(join(audioFolder(), id))];
  }

  const untilRemoved = (id: string) => eventually(() => hasRecording(id), [false, false]);

  it('is removed after the session completes', async () => {
    const session = await submitVoice(service.api, await newRequest());
    expect(session.status).to.equal('completed');
    await untilRemoved(session.session_id);
    expect((await read(session.session_id)).transcript?.text).to.equal(SAID);
  });

  it('is removed after the analysis fails; a retry uses the transcript and is not charged for a second one', async () => {
    const before = await countTranscriptions();
    const id = await submitFailing('analysis', { system_prompt: 'Summarize. [provider status=400 times=1]' });
    await untilRemoved(id);
    const failed = await read(id);
    expect(failed).to.include({ status: 'failed', summary_text: null });
    expect(failed.transcript?.text).to.equal(SAID);
    expect(failed.conversation).to.have.length(dialogue.turns.length);

    const { body: session } = await retry(id);

    expect(session.status).to.equal('completed');
    expect(session.summary_text).to.contain('delivered tomorrow');
    expect(session.transcript).to.deep.equal(failed.transcript);
    expect(await countTranscriptions()).to.equal(before + 1);
    const calls = session.cost_breakdown.map((item) => `${item.step} ${item.calls}`);
    expect(calls).to.deep.equal(['transcription 1', 'analysis 2']);
  });

  it('is kept after a temporary failure of the transcription, until a retry completes the session', async () => {
    const request = await newRequest();
    await service.providers.refuse();
    const { problem } = await sendVoice(service.api, request);
    expect(problem).to.include({ code: 'provider_failed', stage: 'transcription' });
    const id = problem.session_id!;
    await service.providers.pass();
    expect(await hasRecording(id)).to.deep.equal([true, true]);
    const { body: session } = await retry(id);
    expect(session.status).to.equal('completed');
    expect(session.transcript?.text).to.equal(SAID);
    await untilRemoved(id);
  });

  it('is removed if the provider refuses it, because a retry would fail too', async () => {
    const id = await submitFailing('transcription', { fileName: 'call [provider status=400].mp3' });
    await untilRemoved(id);
    expect((await retry(id)).problem).to.include({ code: 'conflict' });
  });

  it('is removed after the session is canceled', async () => {
    service.providers.hang();
    const headers = { Prefer: 'respond-async' };
    const { session_id: id } = await submitVoice(service.api, { ...(await newRequest()), headers });
    await eventually(async () => (await read(id)).status, 'transcribing');
    expect((await send(service.api, 'cancelSession', { token, params: { id } })).body.status).to.equal('canceled');
    await untilRemoved(id);
  });

  describe('whose upload is repeated under its Idempotency-Key', () => {
    async function newClient() {
      const { token, workspaceId } = await createUser();
      const { id: assistantId } = await addVoiceAssistant(service.api, token);
      const upload = (headers: Record<string, string> = {}, recording?: Uint8Array) => {
        const request = { token, assistantId, headers: { 'Idempotency-Key': 'once', ...headers } };
        return sendVoice(service.api, { ...request, ...(recording && { recording }) });
      };
      return { token, workspaceId, assistantId, upload };
    }

    it('does not disturb the running transcription', async () => {
      const { workspaceId, upload } = await newClient();
      const answers = await Promise.all(Array.from({ length: 6 }, () => upload()));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
      const calls = await ProviderCallModel.query().where({ workspace_id: workspaceId, step: 'transcription' });
      expect(calls.map(({ attempt, status }) => [attempt, status])).to.deep.equal([[1, 'succeeded']]);
    });

    it('is not stored again after its removal, and is deleted with its session', async () => {
      const { token, upload } = await newClient();
      const { session_id: id } = (await upload()).body as Session;
      // The file is removed before the row is updated.
      await eventually(async () => (await SessionModel.query().findById(id))?.audio, null);
      expect(existsSync(join(audioFolder(), id))).to.equal(false);
      const again = await upload();
      expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
      expect((again.body as Session).session_id).to.equal(id);
      expect(existsSync(join(audioFolder(), id))).to.equal(false);
      // Simulates the state that a concurrent upload leaves.
      writeFileSync(join(audioFolder(), id), 'a recording');
      expect(await SessionModel.query().findById(id)).to.include({ audio: null });
      expect((await send(service.api, 'deleteSession', { token, params: { id } })).status).to.equal(204);
      expect(existsSync(join(audioFolder(), id))).to.equal(false);
    });

    it('is recognized by its bytes, also after the assistant was deleted; another recording is refused', async () => {
      const { token, assistantId, upload } = await newClient();
      const first = (await upload()).body as Session;
      expect((await upload({}, fixture('tone.mp3'))).problem.code).to.equal('idempotency_key_reused');
      await send(service.api, 'deleteAssistant', { token, params: { id: assistantId } });
      expect(((await upload()).body as Session).session_id).to.equal(first.session_id);
      expect((await upload({ 'Idempotency-Key': 'another' })).paths).to.deep.equal(['assistant_id']);
    });
  });
});
