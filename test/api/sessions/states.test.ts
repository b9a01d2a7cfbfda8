import { SESSION_STATUSES, type SessionStatus } from '../../../contract/values/constants.ts';
import * as operations from '../../../contract/sessions/session-operations.ts';
import { getSessionAudio } from '../../../contract/sessions/recording.ts';
import { getSession } from '../../../contract/sessions/sessions.ts';
import { getSessionTimeline } from '../../../contract/sessions/timeline.ts';
import { getSessionTranscript } from '../../../contract/sessions/transcripts.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { createOwner, VOICE } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const ENDED = ['completed', 'failed', 'canceled'];

const OPERATIONS = {
  get: getSession,
  timeline: getSessionTimeline,
  transcript: getSessionTranscript,
  audio: getSessionAudio,
  cancel: operations.cancelSession,
  retry: operations.retrySession,
  reanalyze: operations.reanalyzeSession,
  delete: operations.deleteSession,
};

type Operation = keyof typeof OPERATIONS;

/** The same status code in each status. */
const always = (code: number) =>
  Object.fromEntries(SESSION_STATUSES.map((status) => [status, code])) as Record<SessionStatus, number>;

/** Status code of each operation in each status, for a transcribed recording. No workflow runs for it. */
const TRANSCRIBED: Record<Operation, Record<SessionStatus, number>> = {
  get: always(200),
  timeline: always(200),
  transcript: always(200),
  audio: always(200),
  cancel: { ...always(200), completed: 409, failed: 409, canceled: 409 },
  retry: { ...always(409), failed: 202 },
  reanalyze: always(202),
  delete: always(204),
};

/** The operations with different status codes while there is no transcript. */
const UNTRANSCRIBED: Partial<typeof TRANSCRIBED> = { transcript: always(404), reanalyze: always(409) };

/** Status of the session after the operation. The other operations do not change it. */
const AFTERWARDS: Partial<Record<Operation, SessionStatus>> = { cancel: 'canceled', retry: 'queued' };

describe('Operations on a session', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  before(async () => {
    ({ token, assistant } = await createOwner(VOICE));
  });

  function addSession(status: SessionStatus, isTranscribed: boolean): Promise<SessionModel> {
    const completed_at = ENDED.includes(status) ? new Date() : null;
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    const unheard = { transcript: null, conversation: null };
    return createVoiceSession(assistant, { status, completed_at, ...(isTranscribed ? { transcript } : unheard) });
  }

  function call(operation: Operation, id: string) {
    const body = operation === 'reanalyze' && { body: {} };
    return send(api, OPERATIONS[operation], { token, params: { id }, headers: { Prefer: 'respond-async' }, ...body });
  }

  for (const operation of Object.keys(OPERATIONS) as Operation[]) {
    it(`${operation} returns the documented code in each status, with and without a transcript`, async () => {
      for (const isTranscribed of [true, false]) {
        const expected = (!isTranscribed && UNTRANSCRIBED[operation]) || TRANSCRIBED[operation];
        for (const status of SESSION_STATUSES) {
          const what = `${status}, ${isTranscribed ? 'transcribed' : 'not transcribed'}`;
          const { id } = await addSession(status, isTranscribed);
          const answer = await call(operation, id);
          expect(answer.status, what).to.equal(expected[status]);
          if (answer.status === 409 && isTranscribed) expect(answer.problem.detail, what).to.contain(status);
          const row = await SessionModel.query().findById(id);
          if (operation === 'delete') expect(row, what).to.equal(undefined);
          else expect(row?.status, what).to.equal((answer.status < 300 && AFTERWARDS[operation]) || status);
        }
      }
    });
  }

  it('all answer 404 after the session was deleted', async () => {
    const { id } = await addSession('failed', true);
    await send(api, operations.deleteSession, { token, params: { id } });
    for (const operation of Object.keys(OPERATIONS) as Operation[]) {
      expect((await call(operation, id)).status, operation).to.equal(404);
    }
  });
});
