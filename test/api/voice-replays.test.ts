/** Uploads that are sent again, and recordings that must be gone. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deleteAssistant } from '../../contract/assistants.ts';
import { deleteSession } from '../../contract/session-operations.ts';
import type { Session } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import { audioFolder } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { addVoiceAssistant, sendVoice } from '../support/voice.ts';
import { useTestService } from '../support/set-up.ts';

describe('A recording that is sent again under its Idempotency-Key', () => {
  const service = useTestService({ env: { AUDIO_RETENTION_DAYS: '0' } });

  const isStored = (id: string) => existsSync(join(audioFolder(), id));
  async function newClient() {
    const { token, user } = await createUser();
    const { id: assistantId } = await addVoiceAssistant(service.api, token);
    const upload = (headers: Record<string, string> = {}) =>
      sendVoice(service.api, { token, assistantId, headers: { 'Idempotency-Key': 'once', ...headers } });
    return { token, user, assistantId, upload };
  }

  it('disturbs no transcription that is under way', async () => {
    const { user, upload } = await newClient();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload()));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
    const calls = await VendorCallModel.query().where({ user_id: user.id, step: 'transcription' });
    expect(calls.map(({ attempt, status }) => [attempt, status])).to.deep.equal([[1, 'succeeded']]);
  });

  it('is not kept again after it was removed, and goes with its session whatever the row says', async () => {
    const { token, upload } = await newClient();
    const { session_id: id } = (await upload()).body as Session;
    // The file goes first, and then the row says so.
    await eventually(
      async () => SessionModel.query().findById(id),
      (row) => row?.audio === null,
    );
    expect(isStored(id)).to.equal(false);
    const again = await upload();
    expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([200, 'true']);
    expect((again.body as Session).session_id).to.equal(id);
    expect(isStored(id)).to.equal(false);
    // As an upload would leave it that came in between.
    writeFileSync(join(audioFolder(), id), 'a recording');
    expect(await SessionModel.query().findById(id)).to.include({ audio: null });
    expect((await send(service.api, deleteSession, { token, params: { id } })).status).to.equal(204);
    expect(isStored(id)).to.equal(false);
  });

  it('is answered with its session after the assistant was deleted', async () => {
    const { token, assistantId, upload } = await newClient();
    const first = (await upload()).body as Session;
    await send(service.api, deleteAssistant, { token, params: { id: assistantId } });
    const again = await upload();
    expect((again.body as Session).session_id).to.equal(first.session_id);
    expect((await sendVoice(service.api, { token, assistantId })).status).to.equal(422);
    const other = await upload({ 'Idempotency-Key': 'another' });
    expect(other.problem.errors?.map(({ path }) => path)).to.deep.equal(['assistant_id']);
  });
});
