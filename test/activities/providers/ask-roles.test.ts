import { answerSchema } from '../../../activities/providers/llm/answer-schema.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { field } from '../fields/fields.ts';
import { ask, ledgerOf, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, answerWell, useFakeProvider } from './fake-provider.ts';

const TURNS: Turn[] = [
  { role: 'speaker 1', text: 'Good morning, this is Anna from Northline.' },
  { role: 'speaker 2', text: 'My parcel is late.' },
];

const ROLES = [
  { speaker: 'speaker 1', turn: 0, quote: 'this is Anna from Northline', role: 'operator' },
  { speaker: 'speaker 2', turn: 1, quote: 'My parcel is late', role: 'client' },
];

const MAP = { 'speaker 1': 'operator', 'speaker 2': 'client' } as const;

describe('Asking a model for the roles of the speakers', () => {
  const fake = useFakeProvider('openai');

  /** Creates a voice session with the given changes. */
  async function session(changes: Partial<SessionModel> = {}, fields = {}): Promise<SessionModel> {
    const row = await newSession('openai', fields, structuredClone(TURNS));
    return row.$query().patchAndFetch({ type: 'voice', ...changes });
  }

  const answer = (rest: object) => answerWell('openai', { text: JSON.stringify({ ...rest, ...ANALYSIS }) });

  /** Returns the first request. Each session has its own fences, so they are replaced. */
  const body = () => fake.requests[0]!.body.toString().replaceAll(/=== conversation \w+ ===/g, '===');

  it('is part of the call for the analysis, and leaves the result unchanged', async () => {
    const row = await session();
    fake.behave(answer({ roles: ROLES }));
    const given = await ask(fake, row);
    expect(given.roles?.map).to.deep.equal(MAP);
    expect(given.raw_response).to.deep.equal(ANALYSIS);
    expect(await ledgerOf(row)).to.have.length(1);
    expect(body()).to.contain('#1 speaker 2: My parcel').and.contain('The operator speaks for the company');
    const { properties } = answerSchema([], { encoding: null, roles: true });
    expect(Object.keys(properties ?? {})[0]).to.equal('roles');
  });

  it('works together with fields, whose second call does not change the roles', async () => {
    const row = await session({}, { fields: [field('score', 'integer')] });
    const wrong = ROLES.map((claim) => ({ ...claim, quote: 'Nobody said this at all' }));
    fake.behave(answer({ roles: ROLES, fields: { score: ['x'] } }), answer({ roles: wrong, fields: { score: [7] } }));
    const { roles, raw_response } = await ask(fake, row);
    expect(roles?.map).to.deep.equal(MAP);
    expect(raw_response)
      .to.deep.include({ fields: { score: 7 } })
      .and.not.to.have.property('roles');
  });

  it('returns no roles, without a failure, if the model invents quotes or omits roles', async () => {
    const lie = ROLES.map((claim, index) => ({ ...claim, quote: ROLES[1 - index]!.quote }));
    for (const text of [JSON.stringify({ roles: lie, ...ANALYSIS }), JSON.stringify(ANALYSIS)]) {
      fake.behave(answerWell('openai', { text }));
      const { roles, summary_text } = await ask(fake, await session());
      expect(roles?.map).to.deep.equal({ 'speaker 1': null, 'speaker 2': null });
      expect(summary_text).to.match(/late\.$/);
    }
  });

  it('is not part of the request for a text, or for a recording of one voice', async () => {
    const own = { roles: 'of the prompt' };
    const bodies = [];
    for (const changes of [{ type: 'text' as const }, { conversation: [TURNS[0]!, TURNS[0]!] }]) {
      fake.behave(answer(own));
      const given = await ask(fake, await session(changes));
      expect(given).not.to.have.property('roles');
      expect(given.raw_response, 'a member of that name, requested by the prompt').to.include(own);
      bodies.push(body());
    }
    for (const sent of bodies) expect(sent).not.to.match(/#1|"roles"|operator/);
  });

  it('is omitted if a person or the channels gave the roles, which the model then reads as names', async () => {
    const channels = { source: 'channels', map: MAP, evidence: {} } as const;
    for (const changes of [{ person_roles: MAP }, { roles: channels }]) {
      fake.behave(answer({}));
      const given = await ask(fake, await session(changes));
      expect(given).not.to.have.property('roles');
      expect(body()).to.contain('operator: Good morning').and.contain('client: My parcel').and.not.contain('speaker 1');
    }
  });
});
