import { removesAudioAtEnd, type RemoveAudioDeps } from '../../../activities/sessions/remove-audio.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { createVoiceSession, testAudioStore } from '../../support/audio.ts';
import { testDatabase } from '../../support/database.ts';
import { errorOf } from '../../support/error-of.ts';
import { createOwner } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';

const ENDED = { status: 'completed', completed_at: new Date(0) } as const;
const ENDED_NOW = { status: 'completed', completed_at: new Date() } as const;

describe('An activity that may end a session, with AUDIO_RETENTION_DAYS=0', () => {
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ assistant } = await createOwner({ type: 'voice' }));
  });

  // Removed, because sweeps of other tests would find these sessions.
  afterEach(() => SessionModel.query().delete().where({ workspace_id: assistant.workspace_id }));

  const run = (input: { session_id: string; type?: 'text' | 'voice' }, deps: Partial<RemoveAudioDeps> = {}) =>
    removesAudioAtEnd(
      { audio: testAudioStore(), audioRetentionDays: 0, log: silentLog, ...deps },
      async () => 'outcome',
    )(input);

  /** Returns the outcome for a session, and whether the recording still exists. */
  async function runFor({ id: session_id }: SessionModel, deps?: Partial<RemoveAudioDeps>) {
    const outcome = await run({ session_id, type: 'voice' }, deps);
    return [outcome, await hasAudio(session_id)];
  }

  const hasAudio = async (id: string) => (await SessionModel.query().findById(id))?.audio !== null;

  it('removes the recording once, after the end of the session, even after a crash in between', async () => {
    const session = await createVoiceSession(assistant, ENDED);
    expect(await runFor(session)).to.deep.equal(['outcome', false]);
    const crashed = await createVoiceSession(assistant, ENDED);
    await testAudioStore().remove(crashed.id);
    for (let i = 0; i < 2; i++) expect(await runFor(crashed)).to.deep.equal(['outcome', false]);
  });

  const broken = { ...testAudioStore(), remove: () => Promise.reject(new Error('no store')) };
  for (const [when, fields, deps] of [
    ['while the session runs', { status: 'analyzing' }, {}],
    ['with more days of retention', ENDED_NOW, { audioRetentionDays: 1 }],
    ['while the store does not work, for the sweep', ENDED, { audio: broken }],
  ] as const) {
    it(`keeps the recording ${when}`, async () => {
      expect(await runFor(await createVoiceSession(assistant, fields), deps)).to.deep.equal(['outcome', true]);
    });
  }

  it('keeps the recording if the activity fails', async () => {
    const { id: session_id } = await createVoiceSession(assistant, ENDED);
    const deps = { audio: testAudioStore(), audioRetentionDays: 0, log: silentLog };
    const failing = removesAudioAtEnd(deps, () => Promise.reject(new Error('again')));
    expect(await errorOf(failing({ session_id, type: 'voice' }))).to.have.property('message', 'again');
    expect(await hasAudio(session_id)).to.equal(true);
  });

  it('does not query the database for a text session', async () => {
    const { id: session_id } = await createVoiceSession(assistant, ENDED);
    const queries: string[] = [];
    const { db } = testDatabase();
    const note = ({ sql }: { sql: string }) => queries.push(sql);
    db.on('query', note);
    await run({ session_id, type: 'text' });
    await run({ session_id });
    db.off('query', note);
    expect(queries).to.deep.equal([]);
  });
});
