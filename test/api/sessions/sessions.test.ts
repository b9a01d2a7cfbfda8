import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { send, startTestApi } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { createAssistant, createDelivery, createOwner, createSession } from '../../support/factories.ts';
import { idsOverPages } from '../../support/sessions.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

describe('Sessions', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  const list = async (query: Record<string, string | number> = {}) =>
    (await send(api, 'listSessions', { token, query })).body;

  /** Creates sessions, and returns their IDs, oldest first. */
  async function createSessions(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push((await createSession(assistant)).id);
    return ids;
  }

  describe('GET /v1/sessions', () => {
    it('lists newest first, 50 by default', async () => {
      const ids = (await createSessions(51)).toReversed();
      const idsOf = async (query = {}) => (await list(query)).data.map((item) => item.session_id);
      expect(await idsOf()).to.deep.equal(ids.slice(0, 50));
      expect(await idsOf({ limit: 60 })).to.deep.equal(ids);
    });

    it('lists each session once over all pages, even if sessions are added or deleted in between', async () => {
      const ids = (await createSessions(7)).toReversed();
      const seen = await idsOverPages(async (cursor) => {
        const page = await list({ limit: 3, ...cursor });
        await createSessions(2);
        await SessionModel.query().deleteById(page.data.at(-1)?.session_id ?? '');
        return page;
      });
      expect(seen).to.deep.equal(ids);
    });

    it("lists only the workspace's own sessions, even with another user's cursor", async () => {
      const other = await createOwner();
      const foreign = other.assistant;
      for (let index = 0; index < 3; index++) await createSession(foreign);
      const [mine] = await createSessions(1);
      for (let index = 0; index < 3; index++) await createSession(foreign);
      const { body } = await send(api, 'listSessions', { token: other.token, query: { limit: 1 } });
      const page = await list({ cursor: body.next_cursor ?? '' });
      expect(page.data.map((item) => item.session_id)).to.deep.equal([mine]);
    });

    it('lists items like single sessions, without large properties', async () => {
      const fields: Partial<SessionModel> = {
        status: 'completed',
        summary_text: 's',
        raw_response: { summary_text: 's' },
      };
      const session = await createSession(assistant, { ...fields, completed_at: new Date(), metadata: { a: 'b' } });
      await createDelivery(session);
      const delivery = await createDelivery(session);
      const [item] = (await list()).data;
      const { body } = await send(api, 'getSession', { token, params: { id: session.id } });
      const own = [
        'conversation',
        'transcript',
        'roles',
        'raw_response',
        'assistant',
        'audio',
        'queue',
        'audio_source',
        'left_out',
        'redaction',
      ];
      const light = Object.entries(body).filter(([name]) => !own.includes(name));
      const { id, name, llm_model } = body.assistant;
      expect(item).to.deep.equal({ ...Object.fromEntries(light), assistant: { id, name, llm_model } });
      expect(item?.delivery).to.include({ delivery_id: delivery.id, status: 'pending' });
    });
  });

  it('show duration, number of turns, language and assistant, also a deleted one', async () => {
    const conversation = [{ role: 'client', text: 'Grüß Gott' }];
    const transcript = { text: 'Grüß Gott', language: 'de', duration_s: 2.5 };
    const { id } = await createVoiceSession(assistant, { conversation, transcript });
    const { id: fresh } = await createVoiceSession(assistant, { conversation: null });
    await assistant.$query().delete();
    const [later, item] = (await list()).data;
    expect(item).to.deep.include({ session_id: id, language: 'de', audio_duration_s: 2.5, turn_count: 1 });
    expect(item?.assistant).to.deep.equal({ id: assistant.id, name: 'Call review', llm_model: 'gpt-6-luna' });
    const unheard = { language: null, audio_duration_s: 2.088, turn_count: null };
    expect(later).to.deep.include({ session_id: fresh, ...unheard });
  });

  describe('GET /v1/sessions/{id}', () => {
    describe('describes the recording:', () => {
      const audioOf = async ({ id }: SessionModel) =>
        (await send(api, 'getSession', { token, params: { id } })).body.audio;
      const day = 24 * 3_600_000;
      const completed_at = new Date();
      const after = (days: number) => new Date(completed_at.getTime() + days * day).toISOString();

      it('its properties, and until when it is kept', async () => {
        const bytes = (await createVoiceSession(assistant)).audio?.bytes;
        const there = { available: true, content_type: 'audio/mpeg', bytes, tracks: 1 };
        expect(await audioOf(await createVoiceSession(assistant))).to.deep.equal({ ...there, expires_at: null });
        const ended = await createVoiceSession(assistant, { status: 'completed', completed_at });
        expect(await audioOf(ended)).to.deep.equal({ ...there, expires_at: after(30) });
      });

      it('that it was removed or never existed', async () => {
        const removed = await createSession(assistant, { type: 'voice', status: 'completed', completed_at });
        const gone = { available: false, content_type: null, bytes: null, tracks: null, expires_at: null };
        expect(await audioOf(removed)).to.deep.equal(gone);
        expect(await audioOf(await createSession(assistant))).to.equal(null);
        const reanalysis = { type: 'voice', source_session_id: removed.id } as const;
        expect(await audioOf(await createSession(assistant, reanalysis))).to.equal(null);
      });

      it('that it is kept for at least a day if a retry can repair a failed transcription', async () => {
        const other = await stopAfterTest(startTestApi({ env: { AUDIO_RETENTION_DAYS: '0' } }));
        const keptUntil = async (code: 'timeout' | 'refused') => {
          const error = { code, stage: 'transcription', provider: 'whisper', message: 'm', retryable: true } as const;
          const failed = { conversation: null, status: 'failed', completed_at, error } as const;
          const { id } = await createVoiceSession(assistant, failed);
          return (await send(other, 'getSession', { token, params: { id } })).body.audio?.expires_at;
        };
        expect([await keptUntil('timeout'), await keptUntil('refused')]).to.deep.equal([after(1), after(0)]);
      });
    });

    it('§2.4 returns a session that has not ended, and why a session failed', async () => {
      const error = { code: 'auth', stage: 'analysis', provider: 'openai', message: 'm', retryable: false } as const;
      const failed = await createSession(assistant, { status: 'failed', error });
      const shown = await send(api, 'getSession', { token, params: { id: failed.id } });
      expect(shown.body).to.deep.include({ status: 'failed', error: { ...error, provider_message: null } });
      const webhook = { webhook_url: 'https://example.com/secret-path', webhook_secret: 'sealed' };
      assistant = await createAssistant(assistant.workspace_id, webhook);
      const session = await createSession(assistant);
      const { body } = await send(api, 'getSession', { token, params: { id: session.id } });
      expect(body).to.deep.include({
        session_id: session.id,
        assistant_id: assistant.id,
        status: 'queued',
        type: 'text',
      });
      expect(body).to.deep.include({ summary_text: null, raw_response: null, error: null, completed_at: null });
      expect(body).to.deep.include({ total_cost: 0, cost_known: true, cost_breakdown: [], delivery: null });
      expect(body.created_at).to.equal(session.created_at.toISOString());
      expect(body.conversation).to.deep.equal(session.conversation);
      expect(JSON.stringify(body), 'nothing of the webhook').not.to.match(/webhook|secret-path|sealed/);
    });
  });
});
