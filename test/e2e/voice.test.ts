import type { SttProviderName } from '../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/values/providers.ts';
import type { Session } from '../../contract/sessions/sessions.ts';
import dialogue from '../../local/stand-ins/dialogue.json' with { type: 'json' };
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { useTestService } from '../support/set-up.ts';
import { useStarted } from '../support/use-started.ts';
import { addVoiceAssistant, submitVoice } from '../support/voice.ts';

const SAID = dialogue.turns.map(({ text }) => text).join(' ');

/** Whisper does not separate speakers, and Aisha has no public price. */
const EXPECTED: Record<Exclude<SttProviderName, 'local'>, { roles: string[]; costUsd: number | null }> = {
  elevenlabs: { roles: ['speaker 1', 'speaker 2'], costUsd: 0.001925 },
  whisper: { roles: ['speaker', 'speaker'], costUsd: 0.0032 },
  aisha: { roles: ['speaker 1', 'speaker 2'], costUsd: null },
};

describe('A spoken conversation, from the upload to the webhook', () => {
  const service = useTestService();
  const receiver = useStarted(() => startReceiver());
  let token: string;
  before(async () => {
    ({ token } = await createUser());
  });

  async function submit(fields: Record<string, string>): Promise<Session> {
    const assistant = await addVoiceAssistant(service.api, token, fields);
    return submitVoice(service.api, { token, assistantId: assistant.id });
  }

  const stts = STT_PROVIDERS.filter((name) => name !== 'local');
  for (const [index, llm] of LLM_PROVIDERS.filter((name) => name !== 'local').entries()) {
    const stt = stts[index % stts.length]!;
    const { roles, costUsd } = EXPECTED[stt];

    it(`§4.4 §6.2 is transcribed by ${stt}, analyzed by ${llm}, and posted once`, async () => {
      const path = `/${stt}/${llm}`;
      const session = await submit({ stt_provider: stt, llm_provider: llm, webhook_url: receiver.url + path });
      const { summary_text, raw_response } = session;
      expect(session.status).to.equal('completed');
      expect(summary_text)
        .to.match(new RegExp(`^(The )?(${roles.join('|')}) says: “`, 'i'))
        .and.to.contain('delivered tomorrow');
      expect(raw_response).to.have.property('summary_text', summary_text);

      expect(session.transcript).to.deep.include({ text: SAID, duration_s: dialogue.duration_s });
      expect(session.conversation).to.deep.equal(
        dialogue.turns.map(({ text, start_s, end_s, speaker }) => ({ role: roles[speaker], text, start_s, end_s })),
      );

      // The stand-in for the model counts the received turns and the words of each speaker.
      const { findings } = raw_response as { findings: { name: string; value: string }[] };
      expect(findings[0]).to.deep.equal({ name: 'turns', value: String(dialogue.turns.length) });
      const speakers = findings.slice(1).map(({ name }) => name);
      expect(speakers).to.deep.equal([...new Set(roles)].map((role) => `words by ${role}`));

      const [transcription, analysis, ...others] = session.cost_breakdown;
      expect(others).to.deep.equal([]);
      expect(transcription).to.deep.include({ step: 'transcription', provider: stt, calls: 1, cost_usd: costUsd });
      expect(analysis).to.include({ step: 'analysis', provider: llm, calls: 1, cost_known: true });
      expect(analysis?.cost_usd).to.be.above(0);
      expect(session.cost_known).to.equal(costUsd !== null);
      expect(session.total_cost).to.be.closeTo((costUsd ?? 0) + (analysis?.cost_usd ?? 0), 1e-10);

      const params = { id: session.session_id };
      const { body } = await eventually(
        () => send(service.api, 'listSessionDeliveries', { token, params }),
        (answer) => answer.body.data.every(({ status }) => status === 'delivered'),
      );
      expect(body.data).to.have.length(1);
      const posts = receiver.requests.filter((request) => request.path === path);
      expect(posts).to.have.length(1);
    });
  }

  it('is analyzed as one turn if the provider returns only text', async () => {
    const session = await submit({ stt_provider: 'whisper', stt_model: 'gpt-transcribe' });
    expect(session.conversation).to.deep.equal([{ role: 'speaker', text: SAID }]);
    expect(session.summary_text).to.contain('delivered tomorrow');
    expect(session.raw_response?.['findings']).to.deep.include({ name: 'turns', value: '1' });
  });
});
