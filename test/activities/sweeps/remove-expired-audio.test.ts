import { createReadStream, rmSync, utimesSync } from 'node:fs';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { typeid } from 'typeid-js';
import { removeAudio } from '../../../activities/sessions/remove-audio.ts';
import { createRemoveExpiredAudio } from '../../../activities/sweeps/remove-expired-audio.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { sumAudioBytes } from '../../../db/queries/owner-limits.ts';
import type { SessionError } from '../../../contract/errors/session-error.ts';
import { createAudioStore } from '../../../runtime/audio/create-store.ts';
import { INSTALLATION_KEY, type AudioStore } from '../../../runtime/audio/store.ts';
import { WORKFLOWS } from '../../../contract/workflows.ts';
import { ensureSchedules } from '../../../worker/schedules.ts';
import { testConfig } from '../../support/api.ts';
import { fixturePath, hasRecording, putAudio } from '../../support/audio.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { newFolder } from '../../support/new-folder.ts';
import { testTemporal } from '../../support/temporal.ts';

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

describe('Removal of recordings', () => {
  let folder: string;
  let store: AudioStore;
  let assistant: AssistantModel;
  beforeEach(async () => {
    folder = newFolder();
    store = createAudioStore(testConfig({ AUDIO_STORE: folder }).audio);
    assistant = (await createOwner({ type: 'voice' })).assistant;
    await mark();
  });
  afterEach(async () => {
    const audio = SessionModel.query().where({ workspace_id: assistant.workspace_id }).whereNotNull('audio');
    // Each recording has one byte.
    expect(await sumAudioBytes(assistant.workspace_id), 'the counter').to.equal(await audio.resultSize());
  });
  // Removed, because sweeps of later tests would find these rows.
  afterEach(() => SessionModel.query().delete().where({ workspace_id: assistant.workspace_id }));

  async function storeUnder(key: string, time = new Date()): Promise<string> {
    await putAudio(store, key, createReadStream(fixturePath('tone.mp3')), new AbortController().signal);
    utimesSync(join(folder, key), time, time);
    return key;
  }

  async function recorded(fields: Partial<SessionModel>, storedAt?: Date): Promise<string> {
    const { id } = await createSession(assistant, { type: 'voice', ...fields });
    await storeUnder(id, storedAt);
    const audio = { file_name: 'a.mp3', media_type: 'audio/mpeg', bytes: 1, sha256: '', duration_s: 2, key: id };
    await SessionModel.query().findById(id).patch({ audio });
    return id;
  }

  /** Writes the ID of the installation into the store, as a start does. */
  async function mark() {
    await SessionModel.knex().raw('insert into installation default values on conflict do nothing');
    const { id } = (await SessionModel.knex()('installation').first()) as { id: string };
    await putAudio(store, INSTALLATION_KEY, Readable.from([Buffer.from(id)]), new AbortController().signal);
  }

  const endedAt = (completed_at: Date, fields: Partial<SessionModel> = {}) =>
    recorded({ status: 'completed', completed_at, ...fields });

  const sweep = (audioRetentionDays = 30) =>
    createRemoveExpiredAudio({ audio: store, audioRetentionDays, log: silentLog })();

  const remove = (id: string) => removeAudio({ audio: store, audioRetentionDays: 30 }, id);

  const isStored = (key: string) => hasRecording(key, store);

  async function expectAudio(id: string, isThere: boolean): Promise<void> {
    const { audio } = await SessionModel.query().findById(id).throwIfNotFound();
    expect([audio !== null, await isStored(id)]).to.deep.equal([isThere, isThere]);
  }

  it('removes only recordings of sessions that ended more than the given days ago', async () => {
    const old = [
      await endedAt(daysAgo(31)),
      await endedAt(daysAgo(31), { status: 'failed' }),
      await endedAt(daysAgo(400), { status: 'canceled' }),
    ];
    const young = [await endedAt(daysAgo(29)), await endedAt(new Date())];
    const underWay = await recorded({ status: 'transcribing', created_at: daysAgo(50), queued_at: daysAgo(50) });
    expect((await sweep()).expired).to.equal(3);
    for (const id of old) await expectAudio(id, false);
    for (const id of [...young, underWay]) await expectAudio(id, true);
    expect(await sweep()).to.deep.equal({ expired: 0, orphaned: 0 });
  });

  it('keeps the rest of the session', async () => {
    const id = await endedAt(daysAgo(31), { transcript: { text: 'hello', language: 'en', duration_s: 2 } });
    const before = await SessionModel.query().findById(id);
    await sweep();
    expect(await SessionModel.query().findById(id)).to.deep.equal({ ...before, audio: null, audio_bytes: null });
  });

  it('removes all recordings of ended sessions with 0 days', async () => {
    const ended = await endedAt(new Date(Date.now() - 1));
    const underWay = await recorded({ status: 'queued' });
    await sweep(0);
    await expectAudio(ended, false);
    await expectAudio(underWay, true);
  });

  describe('whose transcription failed, with 0 days', () => {
    const failedAt = (hoursAgo: number, code: SessionError['code'], fields: Partial<SessionModel> = {}) => {
      const error = { code, stage: 'transcription', provider: 'whisper', message: 'm', retryable: true } as const;
      const completed_at = new Date(Date.now() - hoursAgo * 3_600_000);
      return endedAt(completed_at, { status: 'failed', error, ...fields });
    };

    for (const code of ['unavailable', 'rate_limited', 'timeout', 'auth', 'terminated', 'internal'] as const) {
      it(`keeps it for a day, because a retry may help: ${code}`, async () => {
        const [young, old] = [await failedAt(23, code), await failedAt(25, code)];
        await sweep(0);
        await expectAudio(young, true);
        await expectAudio(old, false);
        expect(await removeAudio({ audio: store, audioRetentionDays: 0 }, young)).to.equal(false);
      });
    }

    for (const code of ['bad_input', 'refused', 'too_large'] as const) {
      it(`removes it, because a retry would fail too: ${code}`, async () => {
        const id = await failedAt(0.01, code);
        await sweep(0);
        await expectAudio(id, false);
      });
    }

    it('removes it if there is a transcript, which is enough for a retry', async () => {
      const id = await failedAt(0.01, 'unavailable', { transcript: { text: 'a', language: null, duration_s: 2 } });
      await sweep(0);
      await expectAudio(id, false);
    });
  });

  it('removes no recording without a session if the store is not marked as that of the database', async () => {
    const orphan = await storeUnder(typeid('sess').toString(), daysAgo(2));
    await store.remove(INSTALLATION_KEY);
    expect(await sweep()).to.deep.equal({ expired: 0, orphaned: 0 });
    expect(await hasRecording(orphan, store)).to.equal(true);
    await mark();
    expect(await sweep()).to.deep.equal({ expired: 0, orphaned: 1 });
  });

  it('removes recordings without a session after a day', async () => {
    const [orphan, fresh] = [typeid('sess').toString(), typeid('sess').toString()];
    await storeUnder(orphan, daysAgo(2));
    await storeUnder(fresh);
    const text = await createSession(assistant);
    await storeUnder(text.id, daysAgo(2));
    const underWay = await recorded({ status: 'queued' }, daysAgo(2));
    expect(await sweep()).to.deep.equal({ expired: 0, orphaned: 2 });
    expect(await Promise.all([orphan, text.id, fresh].map(isStored))).to.deep.equal([false, false, true]);
    await expectAudio(underWay, true);
  });

  it('completes a removal after a crash, once', async () => {
    const id = await endedAt(daysAgo(31));
    rmSync(join(folder, id));
    expect((await sweep()).expired).to.equal(1);
    await expectAudio(id, false);
    expect(await remove(id)).to.equal(false);
  });

  it('keeps the row for the next sweep if the store fails', async () => {
    const id = await endedAt(daysAgo(31));
    const broken = { ...store, remove: () => Promise.reject(new Error('no store')) };
    const failure = await removeAudio({ audio: broken, audioRetentionDays: 30 }, id).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    await expectAudio(id, true);
    expect(await remove(id)).to.equal(true);
    await expectAudio(id, false);
  });

  it('keeps the recording of a session that was retried', async () => {
    const id = await recorded({ status: 'queued', completed_at: null });
    expect(await remove(id)).to.equal(false);
    await expectAudio(id, true);
  });

  it('runs every hour, and stays paused at the start of a worker if an operator paused it', async function () {
    this.timeout(0);
    const { client } = (await testTemporal()).temporal;
    await ensureSchedules(client);
    const schedule = client.schedule.getHandle(WORKFLOWS.removeExpiredAudio);
    const { action, spec } = await schedule.describe();
    expect(action.workflowType).to.equal(WORKFLOWS.removeExpiredAudio);
    expect(spec.intervals?.map(({ every }) => every)).to.deep.equal([3_600_000]);
    await schedule.pause();
    await ensureSchedules(client);
    expect((await schedule.describe()).state.paused).to.equal(true);
  });
});
