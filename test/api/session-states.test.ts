import { expect } from 'chai';
import { SESSION_STATUSES } from '../../contract/constants.ts';
import type { SessionStatus } from '../../contract/constants.ts';
import * as operations from '../../contract/session-operations.ts';
import { getSession, getSessionAudio } from '../../contract/sessions.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import { getSessionTranscript } from '../../contract/transcripts.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { send } from '../support/api.ts';
import { createVoiceSession } from '../support/audio.ts';
import { createOwner } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

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

/** What each operation answers in each status, for a recording that is transcribed. No workflow works on it. */
const TRANSCRIBED: Record<Operation, Record<SessionStatus, number>> = {
  get: { queued: 200, transcribing: 200, analyzing: 200, completed: 200, failed: 200, canceled: 200 },
  timeline: { queued: 200, transcribing: 200, analyzing: 200, completed: 200, failed: 200, canceled: 200 },
  transcript: { queued: 200, transcribing: 200, analyzing: 200, completed: 200, failed: 200, canceled: 200 },
  audio: { queued: 200, transcribing: 200, analyzing: 200, completed: 200, failed: 200, canceled: 200 },
  cancel: { queued: 200, transcribing: 200, analyzing: 200, completed: 409, failed: 409, canceled: 409 },
  retry: { queued: 409, transcribing: 409, analyzing: 409, completed: 409, failed: 202, canceled: 409 },
  reanalyze: { queued: 202, transcribing: 202, analyzing: 202, completed: 202, failed: 202, canceled: 202 },
  delete: { queued: 204, transcribing: 204, analyzing: 204, completed: 204, failed: 204, canceled: 204 },
};

/** The same while there is no transcript; what is not here is as above. */
const UNTRANSCRIBED: Partial<typeof TRANSCRIBED> = {
  transcript: { queued: 404, transcribing: 404, analyzing: 404, completed: 404, failed: 404, canceled: 404 },
  reanalyze: { queued: 409, transcribing: 409, analyzing: 409, completed: 409, failed: 409, canceled: 409 },
};

/** In which status it is afterwards; what is not here changes nothing. */
const AFTERWARDS: Partial<Record<Operation, SessionStatus>> = { cancel: 'canceled', retry: 'queued' };

describe('Operations on a session', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  before(async () => {
    const voice = { stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' } as const;
    ({ token, assistant } = await createOwner({ type: 'voice', ...voice }));
  });

  function addSession(status: SessionStatus, isTranscribed: boolean): Promise<SessionModel> {
    const completed_at = ENDED.includes(status) ? new Date() : null;
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    const unheard = { transcript: null, conversation: null };
    return createVoiceSession(assistant, { status, completed_at, ...(isTranscribed ? { transcript } : unheard) });
  }

  async function answerTo(operation: Operation, id: string): Promise<number> {
    const endpoint = OPERATIONS[operation];
    const body = operation === 'reanalyze' && { body: {} };
    const headers = { Prefer: 'respond-async' };
    return (await send(api, endpoint, { token, params: { id }, headers, ...body })).status;
  }

  for (const isTranscribed of [true, false]) {
    for (const operation of Object.keys(OPERATIONS) as Operation[]) {
      const expected = (!isTranscribed && UNTRANSCRIBED[operation]) || TRANSCRIBED[operation];
      for (const status of SESSION_STATUSES) {
        const what = `${operation} of a session that is ${status}${isTranscribed ? '' : ' and has no transcript'}`;
        it(`${what}: ${expected[status]}`, async () => {
          const { id } = await addSession(status, isTranscribed);
          expect(await answerTo(operation, id)).to.equal(expected[status]);
          const row = await SessionModel.query().findById(id);
          const isDone = expected[status] < 300;
          if (operation === 'delete') expect(row).to.equal(undefined);
          else expect(row?.status).to.equal((isDone && AFTERWARDS[operation]) || status);
        });
      }
    }
  }

  for (const operation of Object.keys(OPERATIONS) as Operation[]) {
    it(`${operation} of a deleted session: 404`, async () => {
      const { id } = await addSession('failed', true);
      await send(api, operations.deleteSession, { token, params: { id } });
      expect(await answerTo(operation, id)).to.equal(404);
    });
  }
});
