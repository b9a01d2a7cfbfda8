import { expect } from 'chai';
import { answerSchema } from '../../../activities/vendors/llm/answer-schema.ts';
import { askModel } from '../../../activities/vendors/llm/ask-model.ts';
import type { ModelAnswer } from '../../../activities/vendors/llm/ask-model.ts';
import { createAssumePrice, createPriceOf } from '../../../activities/vendors/pricing.ts';
import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { Turn } from '../../../contract/sessions.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { field } from '../fields/fields.ts';
import { ledgerOf, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, answerWell, startFakeVendor } from './fake-vendor.ts';
import type { FakeVendor } from './fake-vendor.ts';

const TURNS: Turn[] = [
  { role: 'speaker 1', text: 'Good morning, this is Anna from Northline.' },
  { role: 'speaker 2', text: 'My parcel is late.' },
];

const ROLES = [
  { speaker: 'speaker 1', turn: 0, quote: 'this is Anna from Northline', role: 'operator' },
  { speaker: 'speaker 2', turn: 1, quote: 'My parcel is late', role: 'client' },
];

const MAP = { 'speaker 1': 'operator', 'speaker 2': 'client' } as const;

for (const name of LLM_PROVIDERS) {
  describe(`Asking ${name} who is who`, () => {
    let vendor: FakeVendor;
    before(async () => {
      vendor = await startFakeVendor(name);
    });
    after(() => vendor.stop());

    /** A session as `newSession` makes it, with what a test says of it. */
    async function session(changes: Partial<SessionModel> = {}, fields = {}): Promise<SessionModel> {
      const row = await newSession(name, fields, structuredClone(TURNS));
      return row.$query().patchAndFetch({ type: 'voice', ...changes });
    }

    const ask = (row: SessionModel): Promise<ModelAnswer> =>
      askModel(
        {
          ...{ llm: vendor.providers, priceOf: createPriceOf() },
          assumePrice: createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 0 }),
          budgets: { maxUsd: null, installationUsd: null },
          maxSessionsInFlight: 50,
        },
        row,
        new AbortController().signal,
        async (answer) => answer,
      );

    const answer = (rest: object) => answerWell(name, { text: JSON.stringify({ ...rest, ...ANALYSIS }) });

    /** The fences differ by session. */
    const body = () => vendor.requests[0]!.body.toString().replaceAll(/=== conversation \w+ ===/g, '===');

    it('is part of the one call for the analysis, and of no other answer than the roles', async () => {
      const row = await session();
      vendor.behave(answer({ roles: ROLES }));
      const given = await ask(row);
      expect(given.roles?.map).to.deep.equal(MAP);
      expect(given.raw_response).to.deep.equal(ANALYSIS);
      expect(await ledgerOf(row)).to.have.length(1);
      expect(body()).to.contain('#1 speaker 2: My parcel').and.contain('The operator answers for the company');
      const { properties } = answerSchema([], { encoding: null, roles: true });
      expect(Object.keys(properties ?? {})[0]).to.equal('roles');
    });

    it('goes together with fields, whose second call takes nothing from the roles of the first', async () => {
      const row = await session({}, { fields: [field('score', 'integer')] });
      const wrong = ROLES.map((claim) => ({ ...claim, quote: 'Nobody said this at all' }));
      vendor.behave(
        answer({ roles: ROLES, fields: { score: ['x'] } }),
        answer({ roles: wrong, fields: { score: [7] } }),
      );
      const { roles, raw_response } = await ask(row);
      expect(roles?.map).to.deep.equal(MAP);
      expect(raw_response)
        .to.deep.include({ fields: { score: 7 } })
        .and.not.to.have.property('roles');
    });

    it('is not known, and fails nothing, where the model lies, is silent or answers in prose', async () => {
      const lie = ROLES.map((claim, index) => ({ ...claim, quote: ROLES[1 - index]!.quote }));
      for (const text of [
        JSON.stringify({ roles: lie, ...ANALYSIS }),
        JSON.stringify(ANALYSIS),
        'The parcel is late.',
      ]) {
        vendor.behave(answerWell(name, { text }));
        const { roles, summary_text } = await ask(await session());
        expect(roles?.map).to.deep.equal({ 'speaker 1': null, 'speaker 2': null });
        expect(summary_text).to.match(/late\.$/);
      }
    });

    it('changes no byte of what is sent for a text, or for a recording of one voice', async () => {
      const own = { roles: 'of the prompt' };
      const bodies = [];
      for (const changes of [{ type: 'text' as const }, { conversation: [TURNS[0]!, TURNS[0]!] }]) {
        vendor.behave(answer(own));
        const given = await ask(await session(changes));
        expect(given).not.to.have.property('roles');
        expect(given.raw_response, 'what a prompt asks for under this name').to.include(own);
        bodies.push(body());
      }
      for (const sent of bodies) expect(sent).not.to.match(/#1|"roles"|operator/);
    });

    it('is not done again where a person or the channels say it: the model reads the roles as names', async () => {
      const channels = { source: 'channels', map: MAP, evidence: {} } as const;
      for (const changes of [{ person_roles: MAP }, { roles: channels }]) {
        vendor.behave(answer({}));
        const given = await ask(await session(changes));
        expect(given).not.to.have.property('roles');
        expect(body())
          .to.contain('operator: Good morning')
          .and.contain('client: My parcel')
          .and.not.contain('speaker 1');
      }
    });
  });
}
