import { expect } from 'chai';
import { createLlmProviders } from '../../activities/providers/llm/index.ts';
import { buildPrompt } from '../../activities/providers/llm/prompt.ts';
import type { LlmProviderName } from '../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../contract/values/providers.ts';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import type { FieldResults } from '../../contract/fields/result-fields.ts';
import { readTurns } from '../../local/stand-ins/analyze.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { CALLS as DEMO_CALLS, makeCalls, NEW_PROMPT, PROMPT as PROMPT_OF_DEMO } from '../../local/demo-calls.ts';
import { readLies } from '../../local/stand-ins/directives.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { field } from '../activities/fields/fields.ts';
import { ask as askModel, ledgerOf, newSession } from '../activities/sessions/analysis.ts';
import { testConfig } from '../support/api.ts';
import { useStarted } from '../support/use-started.ts';

const FIELDS = [
  field('technician_visit', 'boolean', { description: 'Is a technician to visit?' }),
  field('score', 'integer', { description: 'Satisfaction with the repair, as a score.', minimum: 1, maximum: 10 }),
  field('ticket', 'string', { description: 'Number of the ticket.' }),
  field('reason', 'enum', { options: ['billing', 'connection'] }),
  field('promises', 'string_list', { description: 'What the operator promised about the technician and the bill.' }),
  field('city', 'string'),
];

const TURNS = [
  { role: 'client', text: 'My connection drops every evening.' },
  { role: 'operator', text: 'A technician will visit you on Thursday.\nBefore noon. Your ticket is N-20418.' },
  { role: 'operator', text: 'Your ticket is N-20418. What score from 1 to 10 do you give us?' },
  { role: 'client', text: 'As a score, 9 of ten.' },
];

describe('The field values of the stand-ins', () => {
  const standIns = useStarted(() => startStandIns());

  async function ask(name: LlmProviderName, directive = '', fields = FIELDS) {
    const last = { role: 'client', text: `Thank you. ${directive}` };
    const session = await newSession(name, { fields }, [...structuredClone(TURNS), last]);
    const providers = createLlmProviders(testConfig(standInEnvironment(LLM_PROVIDERS, standIns.url)));
    const answer = await askModel({ providers }, session);
    const results = answer.raw_response as unknown as FieldResults;
    return { ...results, encoding: answer.field_encoding, calls: await ledgerOf(session) };
  }

  for (const name of LLM_PROVIDERS.filter((each) => each !== 'local')) {
    it(`have quotes, and are null if not mentioned: ${name}`, async () => {
      const { fields, evidence, problems, encoding, calls } = await ask(name);
      expect(fields).to.deep.include({ technician_visit: true, ticket: 'N-20418', reason: 'connection', city: null });
      expect(fields['score']).to.be.within(1, 10);
      expect(fields['promises']).to.be.an('array').that.is.not.empty;
      for (const [of, { verified, dropped }] of Object.entries(evidence)) {
        expect({ of, verified, dropped }).to.deep.equal({ of, verified: true, dropped: 0 });
      }
      expect([problems, encoding, calls.length]).to.deep.equal([undefined, 'strict', 1]);
    });

    it(`are rows after the schema was refused: ${name}`, async () => {
      const fields = [...FIELDS, field(`rows_of_${name}`, 'string')];
      const rows = await ask(name, '[schema refuse]', fields);
      expect(rows).to.include({ encoding: 'rows' });
      expect(rows.fields).to.deep.include({ technician_visit: true, reason: 'connection', city: null });
    });
  }

  it('are wrong if a directive requests it', async () => {
    const lying = await ask('openai', '[value score=99] [field reason=null] [field city missing] [quote turn+1]');
    expect(lying.fields).to.include({ score: null, reason: null, city: null });
    expect(lying.problems).to.deep.include({ score: { code: 'out_of_range', message: '99 is more than 10' } });
    expect(lying.problems?.['city']?.code).to.equal('missing');
    expect(lying.evidence['technician_visit']?.quotes[0]).to.include({ turn: 1, match: 'moved' });
    expect(lying.calls).to.have.length(2);

    const invented = await ask('openai', '[quote invented] [value score=seven once]');
    expect(Object.values(invented.evidence).map(({ verified }) => verified)).not.to.include(true);
    expect(invented.fields['score'], 'the second answer').to.be.within(1, 10);
    expect(invented.calls).to.have.length(2);
  });

  it('are rows from the first call if Gemini would refuse their schema', async () => {
    const options = Array.from({ length: 20 }, (_, index) => `${'an option that is long '.repeat(4)}${index}`);
    const fields = [...FIELDS, field('long', 'enum', { options })];
    const { encoding, calls } = await ask('gemini', '', fields);
    expect([encoding, calls.length]).to.deep.equal(['rows', 1]);
    expect((await ask('anthropic', '', fields)).encoding).to.equal('strict');
  });
});

describe("The stand-ins' answers about the demo's calls", () => {
  const answerDemo = (system_prompt: string) =>
    makeCalls(DEMO_CALLS).map(({ conversation, truth }) => {
      const assistant = { system_prompt, fields: FIELDS } as unknown as FrozenAssistant;
      const asked = { encoding: 'strict', roles: false, hasPlaceholders: false } as const;
      const { system, user } = buildPrompt('sess_a', assistant, conversation, asked);
      const { values } = readLies({ system, user, turns: readTurns(user) }, false);
      return { values: Object.fromEntries(values), truth };
    });

  it("knows what is true about the demo's calls, in which no directive can be read", () => {
    for (const { values, truth } of answerDemo('Say it.')) expect(values).to.deep.equal(truth);
  });

  it("errs less with the demo's second prompt, and neither prompt shows its error rates", () => {
    const [before, after] = [PROMPT_OF_DEMO, NEW_PROMPT].map(
      (prompt) =>
        answerDemo(prompt).filter(({ values, truth }) => values['resolved'] !== truth.resolved).length / DEMO_CALLS,
    );
    expect(before).to.be.within(0.25, 0.55);
    expect(after).to.be.below(0.12);
  });
});
