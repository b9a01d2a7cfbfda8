import { exportSessions } from '../../../contract/sessions/session-filter.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { AuditEventModel } from '../../../db/models/audit-event.ts';
import { SessionReviewModel } from '../../../db/models/session-review.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { createAnswered, createOwner, createSession } from '../../support/factories.ts';
import { idsOverPages } from '../../support/sessions.ts';
import { createMember } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';

const FIELDS: ResultField[] = [
  { name: 'resolved', type: 'boolean', description: 'Was it?', evidence: true },
  { name: 'score', type: 'integer', description: 'How many?', minimum: 0, maximum: 10, evidence: true },
  { name: 'reason', type: 'enum', description: 'Why?', options: ['Billing', 'other'], evidence: true },
  { name: 'constructor', type: 'string', description: 'Who made it?', evidence: false },
  { name: 'products', type: 'string_list', description: 'Which?', evidence: false },
];

const VALUES = { resolved: true, score: 7, reason: 'Billing', constructor: null, products: ['Lamp'] };

describe('Reviews', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  let session: SessionModel;
  const turns = [{ role: 'client', text: 'Hello' }];
  const answer = (values = {}, fields: Partial<SessionModel> & { unverified?: string[] } = {}) =>
    createAnswered(assistant, { ...VALUES, ...values }, { conversation: turns, ...fields });
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: FIELDS }));
    session = await answer({}, { unverified: ['score'] });
  });

  const at = (of = session) => ({ token, params: { id: of.id } });
  const put = (body: object, of = session, headers = {}) => send(api, 'putSessionReview', { ...at(of), body, headers });
  const read = () => send(api, 'getSessionReview', at());
  const list = async (query: Record<string, string | number>) =>
    (await send(api, 'listSessions', { token, query })).body.data.map((item) => item.session_id);

  it('keeps the right answers beside the result of the model, which does not change', async () => {
    const before = (await send(api, 'getSession', at())).body;
    const answers = { resolved: false, score: 7, reason: null, constructor: 'Ann', products: [' lamp!'] };
    const { body } = await put({ answers, unsure: [], summary_text: 'Better.', note: 'Odd', sampled: true });
    expect(body).to.deep.include({ answers, summary_text: 'Better.', note: 'Odd', sampled: true, history: [] });
    expect(body.marks).to.deep.equal({
      resolved: { mark: 'wrong', quotes: 'verified' },
      score: { mark: 'right', quotes: 'unverified' },
      reason: { mark: 'invented', quotes: 'verified' },
      constructor: { mark: 'missed', quotes: 'none' },
      products: { mark: 'right', quotes: 'verified' },
    });
    expect((await read()).body).to.deep.equal(body);
    const { review, ...after } = (await send(api, 'getSession', at())).body;
    expect({ ...after, review: null }).to.deep.equal(before);
    const short = { sampled: true, unsure: [], has_summary: true, notes: 1 };
    expect(review).to.deep.include({ ...short, reviewed_by: body.reviewed_by, reviewed_at: body.reviewed_at });
    expect(review?.corrected).to.have.members(['resolved', 'reason', 'constructor']);
    expect((await send(api, 'listSessions', { token })).body.data[0]?.review).to.deep.equal(review);
  });

  /** Saves as another person. */
  const putAs = (person: { token: string }, body: object) =>
    send(api, 'putSessionReview', {
      token: person.token,
      workspace: assistant.workspace_id,
      params: { id: session.id },
      body,
    });

  it('replaces a review, keeps ten previous states, and stays a part of the sample', async () => {
    const other = await createMember(assistant.workspace_id, 'analyst');
    for (let score = 0; score <= 10; score++) {
      const body = { answers: { score }, sampled: score === 0 };
      await (score % 2 === 0 ? put(body) : putAs(other, body));
    }
    const { body } = await putAs(other, { answers: { score: 7 }, unsure: ['resolved'] });
    expect(body).to.deep.include({ answers: { score: 7 }, unsure: ['resolved'], sampled: true });
    expect(body.marks['resolved']).to.deep.equal({ mark: 'unsure', quotes: 'none' });
    expect(body.history.map(({ answers }) => answers['score'])).to.deep.equal([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('keeps what one person saves in a row as one state, so that nobody loses a review', async () => {
    const other = await createMember(assistant.workspace_id, 'analyst');
    await put({ answers: { score: 1 } });
    for (let score = 0; score <= 10; score++) await putAs(other, { answers: { score } });
    expect((await read()).body.history.map(({ answers }) => answers['score'])).to.deep.equal([1]);
  });

  it('has at most 64 KiB, with a history of at most 256 KiB, and counts in the storage limit', async () => {
    const stored = async () => {
      const { rows } = await SessionReviewModel.knex().raw<{ rows: [{ bytes: string }] }>(
        'select coalesce(sum(bytes), 0) as bytes from stored_texts where workspace_id = ?',
        [assistant.workspace_id],
      );
      return Number(rows[0].bytes);
    };
    const before = await stored();
    const large = {
      turn_notes: Array.from({ length: 50 }, () => ({ turn: 0, text: 'x'.repeat(1_000) })),
      note: 'Short',
    };
    const other = await createMember(assistant.workspace_id, 'analyst');
    for (let count = 0; count < 5; count++) {
      await put(large);
      await putAs(other, large);
    }
    expect((await read()).body.history).to.have.length(5);
    expect((await stored()) - before).to.be.within(300_000, 400_000);
    const cyrillic = { ...large, turn_notes: large.turn_notes.map((note) => ({ ...note, text: 'ж'.repeat(1_000) })) };
    expect((await put(cyrillic)).paths).to.deep.equal(['turn_notes']);
    await send(api, 'deleteSessionReview', at());
    expect(await stored()).to.equal(before);
    await SessionReviewModel.knex()('stored_texts')
      .where({ workspace_id: assistant.workspace_id })
      .update({ bytes: 2 ** 50 });
    expect((await put({ answers: { score: 1 } })).problem).to.include({ status: 409, code: 'quota_exceeded' });
  });

  it('lets one of several writers with the same ETag succeed, also for the first review', async () => {
    for (const number of [1, 2]) {
      const headers = { 'If-Match': (await read()).headers.get('etag') ?? '' };
      const answers = await Promise.all([3, 4, 5, 6].map((score) => put({ answers: { score } }, session, headers)));
      expect(answers.map(({ status }) => status).sort(), `round ${number}`).to.deep.equal([200, 412, 412, 412]);
    }
    expect((await read()).body.answers).to.have.property('score');
  });

  it('refuses reviews of reanalyses and unfinished sessions', async () => {
    const reanalysis = await answer({}, { source_session_id: session.id });
    expect((await put({}, reanalysis)).problem)
      .to.include({ status: 409 })
      .and.have.property('detail')
      .include(session.id);
    expect((await put({}, await createSession(assistant, { status: 'failed' }))).problem.status).to.equal(409);
  });

  it('refuses, by path, what the session does not have, and stores nothing', async () => {
    const cases: [object, string][] = [
      [{ answers: { unknown: true } }, 'answers.unknown'],
      [{ answers: { resolved: 'yes' } }, 'answers.resolved'],
      [{ answers: { score: 11 } }, 'answers.score'],
      [{ answers: { score: 1.5 } }, 'answers.score'],
      [{ answers: { reason: 'weather' } }, 'answers.reason'],
      [{ answers: { products: [1] } }, 'answers.products'],
      [{ answers: { constructor: 'a\u0000b' } }, 'answers.constructor'],
      [{ answers: { constructor: ['a'] } }, 'answers.constructor'],
      [{ answers: { products: 'lamp' } }, 'answers.products'],
      [{ answers: JSON.parse('{"__proto__": 1}') as object }, 'answers.__proto__'],
      [{ answers: { score: 1 }, unsure: ['score'] }, 'answers.score'],
      [{ unsure: ['toString'] }, 'unsure.0'],
      [{ turn_notes: [{ turn: 1, text: 'There is no second turn' }] }, 'turn_notes.0.turn'],
    ];
    for (const [body, path] of cases) {
      const { paths } = await put(body);
      expect(
        paths.map((each) => each.split('.').slice(0, path.split('.').length).join('.')),
        path,
      ).to.deep.equal([path]);
    }
    expect(await SessionReviewModel.query().where({ session_id: session.id }).resultSize()).to.equal(0);
  });

  it('stores an option in its declared spelling, and no text as "not said"', async () => {
    const { body } = await put({ answers: { reason: ' billing', constructor: ' ' } });
    expect(body.answers).to.deep.equal({ reason: 'Billing', constructor: null });
  });

  it('is deleted by request or with the session, and recorded without its values', async () => {
    await put({ answers: { reason: 'other' }, unsure: ['score'], note: 'secret' });
    const stale = await send(api, 'deleteSessionReview', { ...at(), headers: { 'If-Match': '"other"' } });
    expect(stale.status).to.equal(412);
    expect((await send(api, 'deleteSessionReview', at())).status).to.equal(204);
    expect((await read()).body).to.deep.include({ reviewed_at: null, history: [] });
    await put({ answers: { score: 1 } });
    await send(api, 'deleteSession', at());
    expect(await SessionReviewModel.query().where({ session_id: session.id }).resultSize()).to.equal(0);
    const events = await AuditEventModel.query().where({ object_id: session.id }).orderBy('id');
    expect(events.map(({ action, details }) => ({ action, details })).slice(0, 2)).to.deep.equal([
      { action: 'session_reviewed', details: { answers: 'reason, score', sampled: 'false' } },
      { action: 'review_deleted', details: {} },
    ]);
  });

  describe('as filters', () => {
    it('find sessions by what was said about them', async () => {
      const [sampled, corrected, summary] = [session, await answer(), await answer()];
      const unreviewed = await answer();
      await answer({}, { source_session_id: session.id });
      await createSession(assistant, { status: 'failed' });
      await put({ answers: { score: 7 }, sampled: true });
      await put({ answers: { score: 1 } }, corrected);
      await put({ summary_text: 'Other' }, summary);
      const ids = { sampled: sampled.id, corrected: corrected.id, summary: summary.id, unreviewed: unreviewed.id };
      const cases: [Record<string, string>, (keyof typeof ids)[]][] = [
        [{ review: 'reviewed' }, ['sampled', 'corrected', 'summary']],
        [{ review: 'unreviewed' }, ['unreviewed']],
        [{ review: 'sampled' }, ['sampled']],
        [{ review: 'unsampled' }, ['corrected', 'summary', 'unreviewed']],
        [{ review: 'corrected' }, ['corrected', 'summary']],
        [{ corrected: 'score' }, ['corrected']],
        [{ corrected: 'resolved' }, []],
        [{ review: 'reviewed', assistant_id: assistant.id, field: 'score:gte:7' }, ['sampled', 'corrected', 'summary']],
      ];
      for (const [query, names] of cases) {
        const found = await list(query);
        expect(found, JSON.stringify(query))
          .to.have.members(names.map((name) => ids[name]))
          .and.have.length(names.length);
        expect((await send(api, 'countSessions', { token, query })).body.total).to.equal(names.length);
      }
    });

    it('find nothing of another workspace', async () => {
      await put({ answers: { score: 1 } });
      const other = await createOwner();
      const { body } = await send(api, 'listSessions', { token: other.token, query: { review: 'reviewed' } });
      expect(body.data).to.deep.equal([]);
      const foreign = { token: other.token, params: { id: session.id } };
      for (const each of [
        await send(api, 'getSessionReview', foreign),
        await send(api, 'putSessionReview', { ...foreign, body: {} }),
        await send(api, 'deleteSessionReview', foreign),
      ])
        expect(each.status).to.equal(404);
    });
  });

  describe('in random order', () => {
    it('lists each session once, in an order that the seed chooses, with any filter', async () => {
      const ids = [session.id];
      for (let count = 0; count < 11; count++) ids.push((await answer({ score: count })).id);
      const order = (seed: number, more = {}) =>
        idsOverPages(
          async (page) =>
            (await send(api, 'listSessions', { token, query: { sort: 'random', seed, limit: 5, ...more, ...page } }))
              .body,
        );
      const [first, again, other] = [await order(1), await order(1), await order(2)];
      expect(first).to.have.members(ids).and.have.length(ids.length);
      expect(again).to.deep.equal(first);
      expect(other).to.have.members(ids).and.not.deep.equal(first);
      const filtered = await order(1, { assistant_id: assistant.id, field: 'score:gte:5' });
      expect(filtered)
        .to.deep.equal(first.filter((id) => filtered.includes(id)))
        .and.have.length(7);
    });

    it('takes a seed only for this order', async () => {
      expect((await send(api, 'listSessions', { token, query: { seed: 1 } })).paths).to.deep.equal(['seed']);
    });
  });

  const exported = async (format: string) => {
    const query = new URLSearchParams({ format, include: 'review', assistant_id: assistant.id });
    const response = await fetch(`${api.url}/api/v1${exportSessions.path.slice(3)}?${query.toString()}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.text();
  };

  it('are in exports with their notes, the corrected summary, the reviewer, and whether they count', async () => {
    const review_details = { summary_text: 'Better.', note: 'Odd', turn_notes: [{ turn: 0, text: 'Rude' }] };
    const { reviewed_by } = (await put({ answers: { score: 7 }, ...review_details, sampled: true })).body;
    const item = JSON.parse(await exported('jsonl')) as object;
    expect(item).to.deep.include({ reviewed_fields: { score: 7 }, review_details });
    expect(item).to.have.property('review').that.deep.includes({ reviewed_by, sampled: true });
    const [header = '', row = ''] = (await exported('csv')).split('\r\n');
    const at = header.split(',').indexOf('reviewed_by');
    expect(
      header
        .split(',')
        .slice(at, at + 5)
        .join(),
    ).to.equal('reviewed_by,sampled,reviewed_summary,review_note,turn_notes');
    expect(row).to.include(`${reviewed_by},true,Better.,Odd,"[{""text"":""Rude"",""turn"":0}]"`);
  });

  it('are columns of an export, with empty cells for what was not reviewed', async () => {
    await put({ answers: { resolved: false, score: null, constructor: '=1+1' }, unsure: ['reason'] });
    await answer();
    const expectedTime = (await read()).body.reviewed_at;
    const [header = '', , reviewed = ''] = (await exported('csv')).split('\r\n');
    const names = header.split(',');
    const at = names.indexOf('reviewed.resolved');
    expect(names).to.include.members([
      'reviewed.resolved',
      'reviewed.products',
      'reviewed_at',
      'corrected',
      'unsure',
      'not_said',
    ]);
    expect(
      reviewed
        .replace(/"[^"]*"/g, 'quoted')
        .split(',')
        .slice(at, at + 9),
    ).to.deep.equal(['false', '', '', "'=1+1", '', expectedTime, 'quoted', 'reason', 'score']);
  });
});
