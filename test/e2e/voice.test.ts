import { expect } from 'chai';
import { listSessionDeliveries, WebhookPayloadSchema } from '../../contract/deliveries.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/constants.ts';
import type { SttProviderName } from '../../contract/constants.ts';
import { getSession } from '../../contract/sessions.ts';
import type { Session } from '../../contract/sessions.ts';
import { getSessionTimeline } from '../../contract/timeline.ts';
import dialogue from '../../local/vendors/dialogue.json' with { type: 'json' };
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

const SAID = dialogue.turns.map(({ text }) => text).join(' ');

/** Whisper does not tell speakers apart; Aisha publishes no price. */
const EXPECTED: Record<SttProviderName, { roles: string[]; costUsd: number | null }> = {
  elevenlabs: { roles: ['speaker 1', 'speaker 2'], costUsd: 0.001925 },
  whisper: { roles: ['speaker', 'speaker'], costUsd: 0.0032 },
  aisha: { roles: ['speaker 1', 'speaker 2'], costUsd: null },
};

describe('a spoken conversation, from the upload to the webhook', () => {
  let service: TestService;
  let receiver: Receiver;
  let token: string;
  before(async function () {
    this.timeout(0);
    receiver = await startReceiver();
    service = await startTestService();
    ({ token } = await createUser());
  });
  after(async () => {
    await service?.stop();
    await receiver?.stop();
  });

  async function submit(fields: Record<string, string>): Promise<Session> {
    const assistant = await addVoiceAssistant(service.api, token, fields);
    return submitVoice(service.api, { token, assistantId: assistant.id });
  }

  const read = async (id: string) => (await send(service.api, getSession, { token, params: { id } })).body;

  for (const stt of STT_PROVIDERS) {
    const { roles, costUsd } = EXPECTED[stt];
    for (const llm of LLM_PROVIDERS) {
      describe(`with ${stt} and ${llm}`, () => {
        const path = `/${stt}/${llm}`;
        let session: Session;
        before(async () => {
          const webhook_url = receiver.url + path;
          session = await submit({ stt_provider: stt, llm_provider: llm, webhook_url });
        });

        it('§4.4 answers with the summary of what was said', () => {
          expect(session.status).to.equal('completed');
          expect(session.summary_text).to.contain(`between ${[...new Set(roles)].join(' and ')} about`);
          expect(session.summary_text).to.contain('parcel').and.to.contain(dialogue.turns[0]?.text);
          expect(session.raw_response).to.have.property('summary_text', session.summary_text);
        });

        it('keeps the transcript, and its turns with their times', () => {
          expect(session.transcript).to.deep.include({ text: SAID, duration_s: dialogue.duration_s });
          const heard = dialogue.turns.map(({ text, start_s, end_s, speaker }) => ({
            ...{ role: roles[speaker], text, start_s, end_s },
          }));
          expect(session.conversation).to.deep.equal(heard);
        });

        it('shows the model every turn, with who said it', () => {
          const { findings } = session.raw_response as { findings: { name: string; value: string }[] };
          expect(findings[0]).to.deep.equal({ name: 'turns', value: String(dialogue.turns.length) });
          const speakers = findings.slice(1).map(({ name }) => name);
          expect(speakers).to.deep.equal([...new Set(roles)].map((role) => `words by ${role}`));
        });

        it('has both steps in the ledger, each with its cost', () => {
          const [transcription, analysis, ...others] = session.cost_breakdown;
          expect(others).to.deep.equal([]);
          expect(transcription).to.deep.include({ step: 'transcription', provider: stt, calls: 1, cost_usd: costUsd });
          expect(analysis).to.include({ step: 'analysis', provider: llm, calls: 1, cost_known: true });
          expect(analysis?.cost_usd).to.be.above(0);
          expect(session.cost_known).to.equal(costUsd !== null);
          expect(session.total_cost).to.be.closeTo((costUsd ?? 0) + (analysis?.cost_usd ?? 0), 1e-10);
        });

        it('§6.2 posts the result, once', async () => {
          const params = { id: session.session_id };
          const { body } = await eventually(
            () => send(service.api, listSessionDeliveries, { token, params }),
            (answer) => answer.body.data.every(({ status }) => status === 'delivered'),
          );
          expect(body.data).to.have.length(1);
          const posts = receiver.requests.filter((request) => request.path === path);
          expect(posts).to.have.length(1);
          const { session_id, assistant_id, summary_text, raw_response, total_cost, created_at } = session;
          expect(WebhookPayloadSchema.parse(JSON.parse(posts[0]!.body.toString()))).to.deep.equal({
            ...{ event: 'session.completed', status: 'completed', session_id, assistant_id },
            ...{ summary_text, raw_response, total_cost, created_at },
          });
        });
      });
    }
  }

  it('shows the model the text where the vendor gives nothing but that', async () => {
    const session = await submit({ stt_provider: 'whisper', stt_model: 'gpt-transcribe' });
    expect(session.conversation).to.deep.equal([{ role: 'speaker', text: SAID }]);
    expect(session.summary_text).to.contain('parcel');
    expect(session.raw_response?.['findings']).to.deep.include({ name: 'turns', value: '1' });
  });

  it('§4.4 reads the same later, and shows both steps on its timeline', async () => {
    const session = await submit({ stt_provider: 'whisper' });
    expect(await read(session.session_id)).to.deep.equal(session);
    const params = { id: session.session_id };
    const { data } = (await send(service.api, getSessionTimeline, { token, params })).body;
    const calls = data.filter(({ provider }) => provider !== null);
    expect(calls.map(({ step, status, provider }) => `${step} ${status} ${provider}`)).to.deep.equal([
      'transcription succeeded whisper',
      'analysis succeeded openai',
    ]);
  });
});
