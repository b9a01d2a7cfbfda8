import { asksRoles, rolesOfChannels } from '../../../activities/roles/known-roles.ts';
import { readRoles } from '../../../activities/roles/read-roles.ts';
import type { RoleMap, SessionRoles } from '../../../contract/values/roles.ts';
import { nameSpeakers, speakerNames } from '../../../contract/sessions/turns.ts';
import type { Turn } from '../../../contract/sessions/sessions.ts';

const TURNS: Turn[] = [
  { role: 'speaker 1', text: 'Good morning, this is Anna from Northline.', start_s: 0, end_s: 2.5 },
  { role: 'speaker 2', text: 'Good morning. My parcel is late.', start_s: 3, end_s: 5 },
  { role: 'speaker 1', text: 'Could you give me the order number?', start_s: 5.5, end_s: 7 },
];

const claim = (speaker: string, role: string, turn: number, quote: string) => ({ speaker, role, turn, quote });

const OPERATOR = claim('speaker 1', 'operator', 0, 'this is Anna from Northline');
const CLIENT = claim('speaker 2', 'client', 1, 'my parcel is late');

const person = (map: RoleMap): SessionRoles => ({ source: 'person', map, evidence: {} });

describe("The roles in a model's response", () => {
  it("have the speakers' own quotes and times", async () => {
    expect(await readRoles(TURNS, [OPERATOR, CLIENT])).to.deep.equal({
      source: 'model',
      map: { 'speaker 1': 'operator', 'speaker 2': 'client' },
      evidence: {
        'speaker 1': {
          dropped: 0,
          quotes: [
            {
              turn: 0,
              role: 'speaker 1',
              quote: 'this is Anna from Northline',
              match: 'exact',
              start_s: 0,
              end_s: 2.5,
              context: TURNS[0]!.text,
            },
          ],
        },
        'speaker 2': {
          dropped: 0,
          quotes: [
            {
              turn: 1,
              role: 'speaker 2',
              quote: 'My parcel is late',
              match: 'exact',
              start_s: 3,
              end_s: 5,
              context: TURNS[1]!.text,
            },
          ],
        },
      },
    });
  });

  it("are empty if the quote is invented, or another speaker's", async () => {
    const made = claim('speaker 1', 'operator', 0, 'I am the operator of this company');
    const another = claim('speaker 2', 'operator', 0, 'this is Anna from Northline');
    const { map, evidence } = await readRoles(TURNS, [made, another]);
    expect(map).to.deep.equal({ 'speaker 1': null, 'speaker 2': null });
    expect(Object.values(evidence)).to.deep.equal(
      [made, another].map(({ quote }) => ({ dropped: 1, quotes: [], unfound: [{ quote, match: 'none' }] })),
    );
  });

  it("have corrected turns, and quote the speaker's own words if others said the same", async () => {
    const { evidence } = await readRoles(TURNS, [
      { ...OPERATOR, turn: 2 },
      claim('speaker 2', 'client', 0, 'Good morning'),
    ]);
    expect(evidence['speaker 1']?.quotes[0]).to.include({ turn: 0, match: 'moved' });
    expect(evidence['speaker 2']?.quotes[0]).to.include({ turn: 1, match: 'moved' });
  });

  it('match speaker names in any letter case, and keep the first of two roles', async () => {
    const answer = [{ ...OPERATOR, speaker: ' Speaker 1' }, claim('speaker 1', 'client', 2, 'the order number')];
    const { map, evidence } = await readRoles(TURNS, answer);
    expect(map).to.deep.equal({ 'speaker 1': 'operator', 'speaker 2': null });
    expect(evidence['speaker 1']?.quotes).to.have.length(1);
    expect(evidence).not.to.have.property('speaker 2');
  });

  for (const answer of [
    undefined,
    null,
    'operator',
    {},
    [null],
    [[]],
    [{ speaker: 'speaker 1' }],
    [{ ...OPERATOR, role: 'boss' }],
    [{ ...OPERATOR, quote: 7 }],
    [{ ...OPERATOR, speaker: 'speaker 9' }],
  ]) {
    it(`are unknown after ${JSON.stringify(answer)}`, async () => {
      const { map } = await readRoles(TURNS, answer);
      expect(map).to.deep.equal({ 'speaker 1': null, 'speaker 2': null });
    });
  }
});

describe('A model is asked for roles', () => {
  const session = { type: 'voice', conversation: TURNS, knownRoles: null };

  for (const [when, changes, expected] of [
    ['in a recording of two voices', {}, true],
    ['not in a text', { type: 'text' }, false],
    ['not of one voice', { conversation: TURNS.slice(0, 1) }, false],
    ['not without a conversation', { conversation: null }, false],
    ['not where the speakers have names', { conversation: TURNS.map((turn) => ({ ...turn, role: turn.text })) }, false],
    ['not where the channels say it', { knownRoles: rolesOfChannels(['operator', 'client']) }, false],
    ['not where a person said it', { knownRoles: person({ 'speaker 1': 'operator' }) }, false],
  ] as const) {
    it(when, () => expect(asksRoles({ ...session, ...changes })).to.equal(expected));
  }

  it('and receives known roles as names, in copies of the turns', () => {
    const knownRoles = person({ 'speaker 1': 'client', 'speaker 2': 'operator' });
    const named = nameSpeakers(TURNS, knownRoles);
    expect(named.map(({ role }) => role)).to.deep.equal(['client', 'operator', 'client']);
    expect(named.map(({ text, start_s }) => [text, start_s])).to.deep.equal(
      TURNS.map(({ text, start_s }) => [text, start_s]),
    );
    expect(TURNS[0]?.role).to.equal('speaker 1');
    expect(nameSpeakers(TURNS, null)).to.equal(TURNS);
  });
});

describe('The name of a speaker', () => {
  it('is the role, with the speaker if two have the same role; other speakers keep their names', () => {
    const map: RoleMap = { a: 'operator', b: 'client', c: 'operator', d: 'other', e: null };
    expect([...speakerNames(map).values()]).to.deep.equal(['operator (a)', 'client', 'operator (c)', 'd', 'e']);
  });

  it('is the role of the channel', () => {
    const { map } = rolesOfChannels(['client', 'supervisor']);
    expect(map).to.deep.equal({ client: 'client', supervisor: 'other' });
    expect([...speakerNames(map).values()]).to.deep.equal(['client', 'supervisor']);
  });
});
