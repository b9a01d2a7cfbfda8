// cspell:ignore iroq iroqlar qo'ng'iroq qongiroq qoʻngʻiroq qo’ng’iroqlar parcet toʻlov oʻtdi toʼlov tolov
import { renewSearchWords } from '../../../activities/sweeps/renew-search-words.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import type { SessionEnd } from '../../../db/queries/session-end.ts';
import { finishSession, requeueSession } from '../../../db/queries/session-status.ts';
import { send } from '../../support/api.ts';
import { createOwner, createSession, createUser, sessionIdAt } from '../../support/factories.ts';
import { idsOverPages } from '../../support/sessions.ts';
import { useTestApi } from '../../support/set-up.ts';

const DAY_MS = 24 * 3_600_000;

describe('GET /v1/sessions with q', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  type Query = Record<string, string | number>;

  const ask = (query: Query, by = token) => send(api, 'listSessions', { token: by, query });

  /** Returns the IDs of the listed sessions. */
  const list = async (query: Query, by = token) => (await ask(query, by)).body.data.map((item) => item.session_id);

  const add = async (fields: Partial<SessionModel> = {}) => (await createSession(assistant, fields)).id;

  /** Creates an ended session with this conversation. */
  const say = (text: string, fields: Partial<SessionModel> = {}) =>
    add({ status: 'completed', conversation: [{ role: 'client', text }], ...fields });

  /** Creates a session as if it had been created `days` ago. */
  function addAgo(days: number, fields: Partial<SessionModel> = {}): Promise<string> {
    const created_at = new Date(Date.now() - days * DAY_MS);
    return add({ id: sessionIdAt(created_at), created_at, ...fields });
  }

  it('finds words of the conversation and the summary, in any case and script', async () => {
    const spoken = await say('The PARCEL was late; Посылка опоздала, 荷物 遅い.');
    const summarized = await say('Hello.', { summary_text: 'A parcel that never came.' });
    await say('Goodbye.');
    expect(await list({ q: 'parcel' })).to.deep.equal([summarized, spoken]);
    for (const q of ['Parcel late', 'посылка', 'ОПОЗДАЛА parcel', '荷物'])
      expect(await list({ q }), q).to.deep.equal([spoken]);
  });

  it('finds metadata values', async () => {
    const one = await say('Hello.', { metadata: { call_id: 'c-1042', agent: 'Ada Lovelace' } });
    await say('Hello.', { metadata: { call_id: 'c-1043' } });
    for (const q of ['c-1042', 'lovelace', 'hello "ada lovelace"']) expect(await list({ q }), q).to.deep.equal([one]);
    expect(await list({ q: 'call_id' })).to.deep.equal([]);
  });

  it('finds beginnings and forms of words, with any apostrophe, and IDs with and without separators', async () => {
    const conversation = [
      { role: 'client', text: 'Parcels arrived. Мою стиральную машину не приняли, всё. Qo‘ng‘iroqlar' },
    ];
    const call_id = '550e8400-e29b-41d4';
    const one = await add({ status: 'completed', conversation, metadata: { call_id: 'c-1042', other: call_id } });
    const other = await say('Hello.', { metadata: { call_id: 'c-1043' } });
    for (const q of [
      ...['parc', 'parcel', 'PARCELS', 'arriving parc', 'arrive'],
      ...['стиральная', 'стиральной машины', 'стираль', 'машин', 'все', 'всё'],
      ...["qo'ng'iroq", 'qoʻngʻiroq', 'qo’ng’iroqlar', 'qo`ng`iroq', 'qongiroq', "parcel -'letter'"],
      ...['1042', 'c-1042', 'C1042', 'c 1042', 'c_1042', call_id, '550E8400E29B41D4', '550e8400', '550e8400e29b'],
      ...[one, one.replace('_', ''), one.replace('_', '-').toUpperCase(), '"parcel arrived"', '(parc or nothing)'],
    ]) {
      expect(await list({ q }), q).to.deep.equal([one]);
    }
    for (const q of ['parcet', "'", '&|!:*', '"', '-', 'or', '"parc"', 'c-1044', 'work', '/ws', `${one}0`])
      expect(await list({ q }), q).to.deep.equal([]);
    expect(await list({ q: '-parc' })).to.deep.equal([other]);
    expect(await list({ q: one, status: 'failed' })).to.deep.equal([]);
    const stranger = await createUser();
    expect(await list({ q: one }, stranger.token)).to.deep.equal([]);
  });

  it('supports phrases, alternatives and exclusions', async () => {
    const one = await say('the red parcel');
    const two = await say('the parcel is red');
    const three = await say('a blue letter');
    expect(await list({ q: '"red parcel"' })).to.deep.equal([one]);
    expect(await list({ q: '"red parcel" or blue' })).to.deep.equal([three, one]);
    expect(await list({ q: 'parcel -is' })).to.deep.equal([one]);
    expect(await list({ q: '-red' })).to.deep.equal([three]);
    expect(await list({ q: 'red parcel' })).to.deep.equal([two, one]);
  });

  it('finds sessions years apart, each once over the pages', async () => {
    const conversation = [{ role: 'client', text: 'zebra' }];
    const ids: string[] = [];
    for (const days of [2_000, 900, 500, 130, 100, 40, 26, 25, 12.5, 12, 3, 2.4, 2.3, 1, 0.4, 0.2, 0])
      ids.push(await addAgo(days, { status: 'completed', conversation }));
    for (const days of [1_000, 30, 1]) await addAgo(days, { status: 'completed' });
    for (const limit of [1, 2, 5, 16, 17, 50]) {
      const seen = await idsOverPages(async (cursor) => {
        const { body } = await ask({ q: 'zebra', limit, ...cursor });
        expect(body.data).to.have.lengthOf.at.most(limit);
        return body;
      });
      expect(seen, String(limit)).to.deep.equal(ids.toReversed());
    }
    const created_before = new Date(Date.now() - 450 * DAY_MS).toISOString();
    expect(await list({ q: 'zebra', created_before })).to.deep.equal(ids.slice(0, 3).toReversed());
  });

  it('finds frequent and rare words, each session once over the pages', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 130; index++) ids.push(await say(index % 2 === 0 ? 'zebra lion' : 'zebra'));
    for (const [q, expected] of [
      ['zebra', ids],
      ['lion', ids.filter((_, index) => index % 2 === 0)],
      ['zebra -lion', ids.filter((_, index) => index % 2 === 1)],
    ] as const) {
      for (const limit of [25, 65, 130]) {
        const seen = await idsOverPages(async (cursor) => (await ask({ q, limit, ...cursor })).body);
        expect(seen, `${q} by ${limit}`).to.deep.equal(expected.toReversed());
      }
    }
    expect(await list({ q: 'zebra', status: 'failed' })).to.deep.equal([]);
  });

  it('finds sessions with any final status, once they have ended', async () => {
    const error = { code: 'internal', stage: 'analysis', provider: null, message: 'm', retryable: true } as const;
    const completed = { summary_text: 'about a lion', raw_response: {}, temperature_applied: true };
    const ends: SessionEnd[] = [
      { status: 'failed', error },
      { status: 'canceled' },
      { status: 'completed', ...completed },
    ];
    const ended: string[] = [];
    for (const end of ends) {
      const id = await add({ conversation: [{ role: 'client', text: 'zebra' }] });
      expect(await list({ q: 'zebra' })).to.deep.equal(ended);
      await finishSession(id, end);
      ended.unshift(id);
      expect(await list({ q: 'zebra' }), end.status).to.deep.equal(ended);
    }
    expect(await list({ q: 'zebra lion' })).to.deep.equal(ended.slice(0, 1));
    await requeueSession(ended.at(-1) ?? '');
    await finishSession(ended.at(-1) ?? '', { status: 'completed', ...completed });
    expect(await list({ q: 'zebra lion' }), 'after a retry').to.deep.equal([ended[0], ended.at(-1)]);
  });

  it('handles a voice session without a transcript', async () => {
    const id = await add({ type: 'voice', conversation: null, status: 'failed' });
    expect(await list({ q: '-zebra' })).to.deep.equal([id]);
  });

  it('finds words beside any sign, in any form of their letters', async () => {
    for (const [text, ...queries] of [
      ['Мы отправили «Юнистрим», №12345, да—нет.', 'юнистрим', '«Юнистрим»', '12345', '№12345', 'да—нет', 'нет'],
      ['They said “parcel” for €500 at 20°C.', 'parcel', '“parcel”', '500', '€500', '20°C'],
      ['ИП\u00a0Иванов, 😀привет, ｐａｒｔｙ', '"ИП Иванов"', 'Иванов', 'привет', '😀привет', 'party'],
      ['Toʻlov oʻtdi', "to'lov", 'To‘lov', 'Toʼlov', 'tolov', "o'tdi"],
      ['我想退款申请，谢谢', '退款申请', '退款', '我想', '谢', '"退款申请"'],
      ['ขอคืนเงินครับ', 'คืนเงิน', 'ครับ'],
    ] as const) {
      const id = await say(text);
      for (const q of queries) expect(await list({ q }), q).to.deep.equal([id]);
      await SessionModel.query().deleteById(id);
    }
    await say('退货 款项');
    expect(await list({ q: '退款' })).to.deep.equal([]);
  });

  it('finds the words of the first 250,000 characters, however dense they are, and none after them', async () => {
    const turns = (text: string) => ({
      conversation: text.match(/.{1,90000}/gsu)!.map((part) => ({ role: 'client', text: part })),
    });
    const words = Array.from({ length: 60_000 }, (_, index) => `w${index.toString(36)}x`).join(' ');
    const last = words.slice(0, 249_900).split(' ').at(-2)!;
    const long = await say('', turns(words));
    expect(await list({ q: `w0x ${last}` })).to.deep.equal([long]);
    expect(await list({ q: words.split(' ').at(-1)! })).to.deep.equal([]);
    const letters = (first: number, separator: string) =>
      Array.from({ length: 125_000 }, (_, index) => String.fromCodePoint(first + (index % 40_000))).join(separator);
    for (const [first, separator] of [
      [0x20000, ' '],
      [0x20000, ''],
      [0x3400, ''],
      [0x3400, ' '],
    ] as const) {
      const dense = await say('', turns(`begins ${letters(first, separator)}`));
      expect(await list({ q: 'begins' })).to.deep.equal([dense]);
      await SessionModel.query().deleteById(dense);
    }
    const endless = await say(`before ${'a'.repeat(99_000)} after`);
    expect(await list({ q: 'before after' })).to.deep.equal([endless]);
  });

  it('shows with include=hit the sentence with the most words of the query, its turn and time, and the words as they are written', async () => {
    const conversation = [
      { role: 'operator', text: 'Good morning. The coffee is ready.', start_s: 0 },
      { role: 'client', text: 'Hello! My new COFFEE machines leak, happily. Please help.', start_s: 4.5 },
      { role: 'client', text: 'Хочу оформить возврат посылки. 我想退款申请谢谢', start_s: 9 },
    ];
    await say('', { conversation, metadata: { call_id: 'c-2042' } });
    await say('Hello.', { summary_text: 'A coffee machine.' });
    const hitsOf = async (q: string) => (await ask({ q, include: 'hit' })).body.data.map(({ hit }) => hit);
    expect(await hitsOf('coffee "machine" -zebra')).to.deep.equal([
      null,
      {
        turn: 1,
        start_s: 4.5,
        text: 'My new COFFEE machines leak, happily.',
        words: ['coffee', 'COFFEE', 'machines'],
      },
    ]);
    expect(await hitsOf('c-2042')).to.deep.equal([null]);
    expect((await hitsOf('happy'))[0]).to.include({ turn: 1, text: 'My new COFFEE machines leak, happily.' });
    expect((await hitsOf('посылка'))[0]).to.deep.include({ turn: 2, start_s: 9, words: ['посылки'] });
    expect((await hitsOf('退款申请'))[0]).to.deep.include({ turn: 2, words: ['退款申请'] });
    expect((await ask({ q: 'coffee' })).body.data[0]).not.to.have.property('hit');
    expect((await ask({ include: 'hit' })).status).to.equal(200);
  });

  it('stores the words again that a former release stored in another form', async () => {
    const id = await say('«Юнистрим»');
    const form =
      "update session_words set words = to_tsvector('session_words', '«юнистрим»'), is_normal = null where session_id = ?";
    const former = () => SessionModel.knex().raw(form, [id]);
    await former();
    expect(await list({ q: 'Юнистрим' })).to.deep.equal([]);
    expect(await renewSearchWords()).to.equal(1);
    expect(await list({ q: 'Юнистрим' })).to.deep.equal([id]);
    expect(await renewSearchWords()).to.equal(0);
  });

  it('accepts any text, finds nothing without a word, and returns 422 for invalid and too long texts', async () => {
    await say('zebra');
    for (const q of ['!', '"', '""', "'", '&|!()<->:*', '\\', '- -', 'or', '  ', '\u00a0', '👍', '%', "' or 1=1 --"])
      expect(await list({ q }), q).to.deep.equal([]);
    const odd = [
      'a:*',
      'a & !b',
      "a'b",
      '"unclosed',
      'a <-> b',
      '((((',
      'a\nb',
      '\ufffe',
      '\u202e',
      'OR or OR',
      '-"-"',
    ];
    for (const q of [...odd, '-'.repeat(200), '"a" or '.repeat(28), '😀'.repeat(200), 'a '.repeat(100)])
      expect((await ask({ q })).status, q).to.equal(200);
    for (const q of ['a\u0000b', '', 'x'.repeat(201)]) expect((await ask({ q })).paths).to.deep.equal(['q']);
  });
});
