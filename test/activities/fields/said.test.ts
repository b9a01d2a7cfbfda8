import { answerSaid } from '../../../activities/fields/answer-said.ts';
import type { FieldResults, ResultField } from '../../../contract/fields/result-fields.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';
import type { SpeakerRole } from '../../../contract/values/constants.ts';
import { send } from '../../support/api.ts';
import { createUser } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { ask, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, answerWell, useFakeProvider } from '../providers/fake-provider.ts';
import { field } from './fields.ts';

// cspell:disable
const LANGUAGES = [
  {
    phrase: 'This call is recorded.',
    beside: ['Good morning, Northline.', 'My parcel is late, and the call was bad.'],
  },
  { phrase: 'Разговор записывается', beside: ['Добрый день, Нордлайн.', 'Посылка опаздывает, запишите разговор!'] },
  {
    phrase: 'Suhbat yozib olinadi',
    beside: ['Assalomu alaykum, Nordlayn.', 'Suhbatni yozib oling, posilka kechikdi.'],
  },
];
// cspell:enable
const TEN_S = 10;

/** Ten dialogues of a language: by one of two speakers, at one of ten turns of ten seconds, or by nobody. */
const dialoguesOf = ({ phrase, beside }: (typeof LANGUAGES)[number]) =>
  [...Array.from({ length: 9 }, (_, at) => at), -1].flatMap((at) =>
    (['operator', 'client'] as const).map((by) => {
      const turns = Array.from({ length: 10 }, (_, index): Turn => {
        const role = index === at ? by : index % 2 === 0 ? 'operator' : 'client';
        const text = index === at ? `Um, ${phrase.toUpperCase()} OK?` : (beside[index % 2] ?? '');
        return { role, text, start_s: index * TEN_S, end_s: (index + 1) * TEN_S };
      });
      return { at, by, turns };
    }),
  );

const roleOf = (name: string): SpeakerRole | null =>
  (['operator', 'client'] as const).find((each) => each === name) ?? null;
const said = (rest: Partial<ResultField>) => field('told', 'said', rest);
const none = (): FieldResults => ({ fields: {}, evidence: {} });

async function answer(turns: readonly Turn[], rest: Partial<ResultField>) {
  const { fields, evidence, problems } = await answerSaid(turns, [said(rest)], none(), roleOf);
  return { value: fields['told'], evidence: evidence['told'], problem: problems?.['told']?.code };
}

describe('Required wording', () => {
  const api = useTestApi();

  for (const language of LANGUAGES) {
    it(`is true where the right speaker says it in time, and nowhere else: ${language.phrase}`, async () => {
      for (const { at, by, turns } of dialoguesOf(language)) {
        const given = await answer(turns, {
          phrases: ['Never said here', language.phrase],
          by: 'operator',
          within_s: 30,
        });
        const isSaid = at >= 0 && by === 'operator';
        const isInTime = isSaid && at * TEN_S <= 30;
        expect([given.value, given.problem], `${at} ${by}`).to.deep.equal([isInTime, undefined]);
        expect(given.evidence?.quotes.map(({ turn, role }) => [turn, role])).to.deep.equal(isSaid ? [[at, by]] : []);
        expect(given.evidence?.unfound === undefined, `${at} ${by}`).to.equal(isInTime);
        const byAnyone = await answer(turns, { phrases: [language.phrase] });
        expect(byAnyone.value, `${at} ${by}`).to.equal(at >= 0);
      }
    });
  }

  it('has the nearest passage if nobody said it, or what was said too late', async () => {
    const turns = [{ role: 'operator', text: 'This call is not recorded.' }];
    const { value, evidence } = await answer(turns, { phrases: ['This call is recorded'], by: 'operator' });
    expect(value).to.equal(false);
    expect(evidence?.unfound?.[0]).to.include({ match: 'similar', nearest: 'This call is not recorded' });
    const late = [{ role: 'operator', text: 'The call is recorded.', start_s: 61 }];
    const given = await answer(late, { phrases: ['the call is recorded'], by: 'operator', within_s: 60 });
    const { quotes: [quote] = [] } = given.evidence ?? {};
    expect([given.value, quote?.quote, quote?.turn]).to.deep.equal([false, 'The call is recorded', 0]);
  });

  it('is unknown, with the reason, without roles or times', async () => {
    const turns = [{ role: 'speaker 1', text: 'This call is recorded.' }];
    const phrases = ['This call is recorded'];
    for (const [code, rest] of [
      ['no_roles', { phrases, by: 'operator' }],
      ['no_roles', { phrases: ['Quite another thing'], by: 'operator' }],
      ['no_times', { phrases, within_s: 60 }],
    ] as const) {
      expect(await answer(turns, { ...rest, phrases: [...rest.phrases] })).to.include({ value: null, problem: code });
    }
    const client = { role: 'client', text: 'Hello.' };
    expect(await answer([...turns, client], { phrases, by: 'operator' })).to.include({
      value: null,
      problem: 'no_roles',
    });
  });

  it('is refused without phrases of two words, and belongs to its type only', async () => {
    const { token } = await createUser();
    const base = { name: 'a', type: 'text', llm_provider: 'openai', system_prompt: 'x' } as const;
    const create = (rest: object) =>
      send(api, 'createAssistant', {
        token,
        body: { ...base, fields: [{ ...field('told', 'said'), ...rest } as never] },
      });
    const phrases = ['This call is recorded'];
    for (const [rest, path] of [
      [{}, 'fields.0.phrases'],
      [{ phrases: ['recorded'] }, 'fields.0.phrases.0'],
      [{ phrases: Array.from({ length: 21 }, (_, index) => `part ${index}`) }, 'fields.0.phrases'],
      [{ phrases, by: 'other' }, 'fields.0.by'],
      [{ phrases, within_s: 0 }, 'fields.0.within_s'],
      [{ phrases, said_by: 'client' }, 'fields.0.said_by'],
      [{ phrases, type: 'boolean' }, 'fields.0.phrases'],
    ] as const) {
      expect((await create(rest)).paths, JSON.stringify(rest)).to.deep.equal([path]);
    }
    const kept = { phrases: Array.from({ length: 20 }, (_, index) => `part ${index}`), by: 'operator', within_s: 60 };
    const { id } = (await create(kept)).body;
    expect((await send(api, 'getAssistant', { token, params: { id } })).body.fields?.[0]).to.deep.include(kept);
  });
});

describe('A value that one speaker has to say', () => {
  const fake = useFakeProvider('openai');
  const complaint = field('complaint', 'boolean', { said_by: 'client' });
  const told = said({ phrases: ['this is Anna'], by: 'operator' });
  const TURNS: Turn[] = [
    { role: 'operator', text: 'Hello, this is Anna. Do you want to complain?' },
    { role: 'client', text: 'Yes, I am angry.' },
  ];

  /** Returns the result and the request. */
  async function run(quote: string, turns: Turn[], fields = [complaint, told]) {
    const evidence = [{ field: 'complaint', turn: 0, quote }];
    fake.behave(
      answerWell('openai', { text: JSON.stringify({ evidence, fields: { complaint: [true] }, ...ANALYSIS }) }),
    );
    const row = await newSession('openai', { fields }, turns);
    const { raw_response } = await ask(fake, row);
    return { ...(raw_response as unknown as FieldResults), body: fake.requests[0]!.body.toString() };
  }

  it('is verified by a quote of this speaker only; the words of the other are shown', async () => {
    const { evidence } = await run('I am angry', TURNS);
    expect(evidence['complaint']).to.deep.include({ verified: true }).and.not.to.have.property('reason');
    const other = (await run('Do you want to complain', TURNS)).evidence['complaint'];
    expect(other).to.deep.include({ verified: false, dropped: 0 });
    expect(other?.quotes[0]).to.include({ role: 'operator', quote: 'Do you want to complain' });
  });

  it('stays, unverified, with the reason, if the conversation has no roles', async () => {
    const turns = TURNS.map((turn, index) => ({ ...turn, role: `speaker ${index + 1}` }));
    const { fields, evidence } = await run('I am angry', turns);
    expect(fields).to.include({ complaint: true });
    expect(evidence['complaint']).to.include({ verified: false, reason: 'no_roles' });
  });

  it('shares the call with required wording, which the model never sees', async () => {
    const { fields, body } = await run('I am angry', TURNS);
    expect(fields).to.deep.equal({ complaint: true, told: true });
    expect(body).not.to.contain('told').and.not.to.contain('this is Anna\\"');
    const only = await run('I am angry', TURNS, [told]);
    expect(only.fields).to.deep.equal({ told: true });
    expect(only.body).not.to.contain('"fields"').and.not.to.contain('`fields`');
  });
});
