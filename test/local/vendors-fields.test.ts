import { expect } from 'chai';
import { createLlmProviders } from '../../activities/vendors/llm/index.ts';
import { askModel } from '../../activities/vendors/llm/ask-model.ts';
import { createAssumePrice, createPriceOf } from '../../activities/vendors/pricing.ts';
import { LLM_PROVIDERS } from '../../contract/constants.ts';
import type { LlmProviderName } from '../../contract/constants.ts';
import type { FieldResults } from '../../contract/result-fields.ts';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { RunningVendors } from '../../local/vendors/server.ts';
import { field } from '../activities/fields/fields.ts';
import { keepAnswer, ledgerOf, newSession } from '../activities/sessions/analysis.ts';
import { testConfig } from '../support/api.ts';

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

describe('Fields by the stand-ins', () => {
  let vendors: RunningVendors;
  before(async () => {
    vendors = await startVendors();
  });
  after(() => vendors.stop());

  async function ask(name: LlmProviderName, directive = '', fields = FIELDS) {
    const last = { role: 'client', text: `Thank you. ${directive}` };
    const session = await newSession(name, { fields }, [...structuredClone(TURNS), last]);
    const deps = {
      llm: createLlmProviders(testConfig(standInEnvironment(LLM_PROVIDERS, vendors.url))),
      priceOf: createPriceOf(),
      assumePrice: createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 0 }),
      budgets: { maxUsd: null, installationUsd: null },
      maxSessionsInFlight: 50,
    };
    const answer = await askModel(deps, session, new AbortController().signal, keepAnswer);
    const results = answer.raw_response as unknown as FieldResults;
    return { ...results, encoding: answer.field_encoding, calls: await ledgerOf(session) };
  }

  for (const name of LLM_PROVIDERS) {
    it(`have values with their quotations, and nulls, as ${name}'s`, async () => {
      const { fields, evidence, problems, encoding, calls } = await ask(name);
      expect(fields).to.deep.include({
        ...{ technician_visit: true, ticket: 'N-20418', reason: 'connection', city: null },
      });
      expect(fields['score']).to.be.within(1, 10);
      expect(fields['promises']).to.be.an('array').that.is.not.empty;
      for (const [of, { verified, dropped }] of Object.entries(evidence)) {
        expect({ of, verified, dropped }).to.deep.equal({ of, verified: true, dropped: 0 });
      }
      expect({ problems, encoding, calls: calls.length }).to.deep.equal({
        problems: undefined,
        encoding: 'strict',
        calls: 1,
      });
    });

    it(`lie as a directive says, as ${name}'s`, async () => {
      const lying = await ask(name, '[value score=99] [field reason=null] [field city missing] [quote turn+1]');
      expect(lying.fields).to.include({ score: null, reason: null, city: null });
      expect(lying.problems).to.deep.include({ score: { code: 'out_of_range', message: '99 is more than 10' } });
      expect(lying.problems?.['city']?.code).to.equal('missing');
      expect(lying.evidence['technician_visit']?.quotes[0]).to.include({ turn: 1, match: 'moved' });
      expect(lying.calls).to.have.length(2);

      const invented = await ask(name, '[quote invented] [value score=seven once]');
      expect(Object.values(invented.evidence).map(({ verified }) => verified)).not.to.include(true);
      expect(invented.fields['score'], 'the second answer').to.be.within(1, 10);
      expect(invented.calls).to.have.length(2);
    });

    it(`go over to rows when the schema is refused, as ${name}'s`, async () => {
      const fields = [...FIELDS, field(`rows_of_${name}`, 'string')];
      const rows = await ask(name, '[schema refuse]', fields);
      expect(rows).to.include({ encoding: 'rows' });
      expect(rows.fields).to.deep.include({ technician_visit: true, reason: 'connection', city: null });
    });
  }

  it('go as rows from the start where Gemini would refuse their schema', async () => {
    const options = Array.from({ length: 20 }, (_, index) => `${'an option that is long '.repeat(4)}${index}`);
    const fields = [...FIELDS, field('long', 'enum', { options })];
    const { encoding, calls } = await ask('gemini', '', fields);
    expect({ encoding, calls: calls.length }).to.deep.equal({ encoding: 'rows', calls: 1 });
    expect((await ask('anthropic', '', fields)).encoding).to.equal('strict');
  });
});
