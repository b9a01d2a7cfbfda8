import { expect } from 'chai';
import { removesAudioAtEnd } from '../../../activities/sessions/remove-audio-at-end.ts';
import type { RemoveAudioDeps } from '../../../activities/sessions/remove-audio.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { createVoiceSession, testAudioStore } from '../../support/audio.ts';
import { testDatabase } from '../../support/database.ts';
import { createAssistant, createUser } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';

const ENDED = { status: 'completed', completed_at: new Date(0) } as const;

describe('An activity that may end a session, with AUDIO_RETENTION_DAYS=0', () => {
  let assistant: AssistantModel;
  beforeEach(async () => {
    assistant = await createAssistant((await createUser()).user.id, { type: 'voice' });
  });

  // What another test sweeps must not meet these.
  afterEach(() => SessionModel.query().delete().where({ user_id: assistant.user_id }));

  const deps = (fields: Partial<RemoveAudioDeps> = {}): RemoveAudioDeps => ({
    ...{ audio: testAudioStore(), audioRetentionDays: 0, log: silentLog },
    ...fields,
  });

  const newSession = (fields: Partial<SessionModel> = ENDED) => createVoiceSession(assistant, fields);

  const run = ({ id: session_id }: SessionModel, fields?: Partial<RemoveAudioDeps>) =>
    removesAudioAtEnd(deps(fields), async () => 'outcome')({ session_id, type: 'voice' });

  const hasAudio = async ({ id }: SessionModel) => (await SessionModel.query().findById(id))?.audio !== null;

  it('removes the recording of a session that has ended, and answers as before', async () => {
    const session = await newSession();
    expect(await run(session)).to.equal('outcome');
    expect(await hasAudio(session)).to.equal(false);
  });

  it('removes it at the next run where a crash came in between, and nothing twice', async () => {
    const session = await newSession();
    await testAudioStore().remove(session.id);
    expect(await run(session)).to.equal('outcome');
    expect(await hasAudio(session)).to.equal(false);
    expect(await run(session)).to.equal('outcome');
  });

  it('keeps that of a session that goes on', async () => {
    const session = await newSession({ status: 'analyzing' });
    await run(session);
    expect(await hasAudio(session)).to.equal(true);
  });

  it('keeps it when the activity fails', async () => {
    const session = await newSession();
    const broken = removesAudioAtEnd(deps(), () => Promise.reject(new Error('again')));
    const failure = await broken({ session_id: session.id, type: 'voice' }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).and.have.property('message', 'again');
    expect(await hasAudio(session)).to.equal(true);
  });

  it('keeps it with more days, for as long as they are', async () => {
    const session = await newSession();
    await run(session, { audioRetentionDays: 1 });
    expect(await hasAudio(session)).to.equal(true);
  });

  it('answers all the same while the store does not work, and leaves the rest to the sweep', async () => {
    const session = await newSession();
    const broken = { ...testAudioStore(), remove: () => Promise.reject(new Error('no store')) };
    expect(await run(session, { audio: broken })).to.equal('outcome');
    expect(await hasAudio(session)).to.equal(true);
  });

  it('asks the database nothing about a text session', async () => {
    const queries: string[] = [];
    const { db } = testDatabase();
    const note = ({ sql }: { sql: string }) => queries.push(sql);
    db.on('query', note);
    const { id: session_id } = await newSession();
    queries.length = 0;
    await removesAudioAtEnd(deps(), async () => undefined)({ session_id, type: 'text' });
    await removesAudioAtEnd(deps(), async () => undefined)({ session_id });
    db.off('query', note);
    expect(queries).to.deep.equal([]);
  });
});
