import { FINAL_SESSION_STATUSES, SESSION_STATUSES } from '../../contract/values/constants.ts';
import { newAudioSource } from '../../db/models/audio-source.ts';
import { SessionModel } from '../../db/models/session.ts';
import {
  ALLOWED_FROM,
  beginStep,
  cancelQueuedSession,
  finishSession,
  queueFetched,
  refetchSession,
  requeueSession,
} from '../../db/queries/session-status.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';

const errors = { code: 'unavailable', stage: 'analysis', provider: null, message: '', retryable: true } as const;

describe('The status of a session', () => {
  const audio = { key: 'k', file_name: 'a', media_type: 'audio/wav', bytes: 1, sha256: '', duration_s: 1 };
  const changes = {
    fetching: (id: string) =>
      refetchSession(id, { audio_source: newAudioSource('https://example.com/a', 'a'), sealed: '' }),
    queued: async (id: string) => (await requeueSession(id)) ?? ((await queueFetched(id, audio)) || undefined),
    transcribing: (id: string) => beginStep(id, 'transcription'),
    analyzing: (id: string) => beginStep(id, 'analysis'),
    completed: (id: string) =>
      finishSession(id, { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: null }),
    failed: (id: string) => finishSession(id, { status: 'failed', error: errors }),
    canceled: (id: string) => finishSession(id, { status: 'canceled' }),
  };

  for (const to of SESSION_STATUSES) {
    it(`becomes ${to} only from ${ALLOWED_FROM[to].join(', ')}`, async () => {
      const assistant = await createAssistant((await createUser()).user.default_workspace_id, {
        type: 'voice',
        stt_provider: 'whisper',
      });
      for (const from of SESSION_STATUSES) {
        const completed_at = FINAL_SESSION_STATUSES.some((status) => status === from) ? new Date() : null;
        const transcript = to === 'fetching' ? null : { text: '', language: null, duration_s: null };
        const error = { ...errors, stage: to === 'fetching' ? ('fetch' as const) : errors.stage };
        const { id } = await createSession(assistant, { status: from, completed_at, transcript, error });
        const isAllowed = ALLOWED_FROM[to].includes(from);
        expect((await changes[to](id)) !== undefined, from).to.equal(isAllowed);
        expect(await SessionModel.findStatus(id)).to.equal(isAllowed ? to : from);
      }
    });
  }

  it('becomes canceled without its workflow only before its first step', async () => {
    const assistant = await createAssistant((await createUser()).user.default_workspace_id);
    for (const status of ['fetching', 'queued', 'analyzing', 'failed'] as const) {
      const { id } = await createSession(assistant, { status });
      expect(await cancelQueuedSession(id)).to.equal(status === 'queued' || status === 'fetching');
    }
  });
});
