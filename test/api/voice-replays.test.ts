/** Repeated uploads, and the removal of their recordings. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deleteAssistant } from '../../contract/assistants/assistants.ts';
import { deleteSession } from '../../contract/sessions/session-operations.ts';
import type { Session } from '../../contract/sessions/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { send } from '../support/api.ts';
import { audioFolder, fixture } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { addVoiceAssistant, sendVoice } from '../support/voice.ts';
import { useTestService } from '../support/set-up.ts';

describe('An upload that is repeated under its Idempotency-Key', () => {
  const service = useTestService({ env: { AUDIO_RETENTION_DAYS: '0' } });

  const isStored = (id: string) => existsSync(join(audioFolder(), id));
  async function newClient() {
    const { token, user } = await createUser();
    const { id: assistantId } = await addVoiceAssistant(service.api, token);
    const upload = (headers: Record<string, string> = {}, recording?: Uint8Array) => {
      const request = { token, assistantId, headers: { 'Idempotency-Key': 'once', ...headers } };
      return sendVoice(service.api, { ...request, ...(recording && { recording }) });
    };
    return { token, user, assistantId, upload };
  }

  it('does not disturb the running transcription', async () => {
    const { user, upload } = await newClient();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload()));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
    const calls = await ProviderCallModel.query().where({
      workspace_id: user.default_workspace_id,
      step: 'transcription',
    });
    expect(calls.map(({ attempt, status }) => [attempt, status])).to.deep.equal([[1, 'succeeded']]);
  });

  it('is not stored again after its removal, and is deleted with its session', async () => {
    const { token, upload } = await newClient();
    const { session_id: id } = (await upload()).body as Session;
    // The file is removed before the row is updated.
    await eventually(
      async () => SessionModel.query().findById(id),
      (row) => row?.audio === null,
    );
    expect(isStored(id)).to.equal(false);
    const again = await upload();
    expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
    expect((again.body as Session).session_id).to.equal(id);
    expect(isStored(id)).to.equal(false);
    // Simulates the state that a concurrent upload leaves.
    writeFileSync(join(audioFolder(), id), 'a recording');
    expect(await SessionModel.query().findById(id)).to.include({ audio: null });
    expect((await send(service.api, deleteSession, { token, params: { id } })).status).to.equal(204);
    expect(isStored(id)).to.equal(false);
  });

  it('is recognized by its bytes, also after the assistant was deleted; another recording is refused', async () => {
    const { token, assistantId, upload } = await newClient();
    const first = (await upload()).body as Session;
    expect((await upload({}, fixture('tone.mp3'))).problem.code).to.equal('idempotency_key_reused');
    await send(service.api, deleteAssistant, { token, params: { id: assistantId } });
    expect(((await upload()).body as Session).session_id).to.equal(first.session_id);
    expect((await upload({ 'Idempotency-Key': 'another' })).paths).to.deep.equal(['assistant_id']);
  });
});
