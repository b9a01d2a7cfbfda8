/** A reader that keeps a copy of the sessions, and asks now and then what has changed. */
import { typeid } from 'typeid-js';
import type { SessionListItem } from '../../../contract/sessions/sessions.ts';
import { API_BASE } from '../../../contract/values/constants.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SecondOpinionModel } from '../../../db/models/second-opinion.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { SessionReviewModel } from '../../../db/models/session-review.ts';
import { eraseSession } from '../../../db/queries/erase-session.ts';
import { send } from '../../support/api.ts';
import { useConnections } from '../../support/database.ts';
import { createDelivery, createOwner, createReview, createSession } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

type Line = SessionListItem & { cursor: string };

describe('What changed in the sessions', () => {
  useConnections();
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  /** Reads the changes after a cursor: all, or until so many bytes have arrived, as a reader that is killed does. */
  async function follow(cursor?: string, bytes = Infinity): Promise<Line[]> {
    const query = new URLSearchParams({ format: 'jsonl', sort: 'updated_at', ...(cursor && { cursor }) });
    const killed = new AbortController();
    const response = await fetch(`${api.url}${API_BASE}/v1/exports/sessions?${query.toString()}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: killed.signal,
    });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.length >= bytes) break;
    }
    killed.abort();
    // The last line may have been cut.
    return text
      .slice(0, Number.isFinite(bytes) ? bytes : undefined)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  }

  const completed = { status: 'completed' } as const;

  it('is each session that ended, and again each whose roles, metadata, review, second opinion or delivery changed, or that was retried', async () => {
    const session = await createSession(assistant, completed);
    const { id } = session;
    await createSession(assistant);
    let [last] = await follow();
    expect(last?.session_id).to.equal(id);
    const delivery = await createDelivery(session);
    const changes: Record<string, () => PromiseLike<unknown>> = {
      'a new delivery': () => Promise.resolve(),
      'its end': () =>
        DeliveryModel.query().findById(delivery.id).patch({ status: 'delivered', next_attempt_at: null }),
      roles: () =>
        SessionModel.query()
          .findById(id)
          .patch({ person_roles: { operator: 'client' } } as object),
      metadata: () =>
        SessionModel.query()
          .findById(id)
          .patch({ metadata: { outcome: 'paid' } }),
      'a review': () => createReview(session),
      'a changed review': () => SessionReviewModel.query().findById(id).patch({ note: 'Polite.' }),
      'a second opinion': () =>
        SecondOpinionModel.query().insert({
          session_id: id,
          workspace_id: session.workspace_id,
          first: {},
          second: {},
          sampled: true,
          agreement: {},
          differing: [],
        } as object),
      'a deleted review': () => SessionReviewModel.query().deleteById(id),
      'a retry': () => SessionModel.query().findById(id).patch({ status: 'queued', completed_at: null }),
      'another end': () => SessionModel.query().findById(id).patch({ status: 'completed', completed_at: new Date() }),
    };
    for (const [change, make] of Object.entries(changes)) {
      await make();
      const lines = await follow(last?.cursor);
      expect(
        lines.map(({ session_id }) => session_id),
        change,
      ).to.deep.equal([id]);
      [last] = lines;
      expect(await follow(last?.cursor), change).to.deep.equal([]);
    }
    const { data } = (await send(api, 'listSessions', { token, query: { sort: 'updated_at' } })).body;
    expect(data.map(({ session_id }) => session_id)).to.deep.equal([id]);
  });

  it('can be asked for since a time', async () => {
    const long_ago = new Date(Date.now() - 3_600_000);
    const session = await createSession(assistant, { ...completed, completed_at: long_ago });
    const other = await createSession(assistant, { ...completed, completed_at: long_ago });
    const since = async (updated_after: string) =>
      (await send(api, 'listSessions', { token, query: { updated_after } })).body.data.map(
        ({ session_id }) => session_id,
      );
    const [, second] = await follow();
    const time = new Date(Number(second?.cursor.split(',')[0]) + 1).toISOString();
    expect(await since(time)).to.deep.equal([]);
    await createReview(session);
    expect(await since(time)).to.deep.equal([session.id]);
    expect(await since(long_ago.toISOString())).to.have.members([session.id, other.id]);
  });

  it('is found also if the transaction that began first ends last', async () => {
    const [first, second] = [await createSession(assistant, completed), await createSession(assistant, completed)];
    const cursor = (await follow()).at(-1)?.cursor;
    const open = await SessionModel.startTransaction();
    try {
      await open.raw('select now()');
      await createReview(second);
      const seen = (await follow(cursor)).map(({ session_id }) => session_id);
      const { workspace_id, assistant_id } = first;
      const row = { workspace_id, assistant_id, day: '2026-01-01', reviewed_by: 'key_1', sampled: true };
      await SessionReviewModel.query(open).insert({ session_id: first.id, ...row });
      await open.commit();
      expect(seen).to.deep.equal([]);
    } finally {
      if (!open.isCompleted()) await open.rollback();
    }
    const found = (await follow(cursor)).map(({ session_id }) => session_id);
    expect(found).to.have.members([first.id, second.id]);
  });

  it('names deleted sessions in a list of their own, which no other workspace sees', async () => {
    const [kept, one, two] = [
      await createSession(assistant, completed),
      await createSession(assistant, completed),
      await createSession(assistant, completed),
    ];
    await createReview(one);
    for (const { id } of [one, two]) await eraseSession(id);
    const deleted = async (query: { limit?: number; cursor?: string } = {}, as = token) =>
      (await send(api, 'listDeletedSessions', { token: as, query })).body;
    const page = await deleted({ limit: 1 });
    expect(page.data.map(({ session_id }) => session_id)).to.deep.equal([one.id]);
    const { data, next_cursor } = await deleted({ cursor: page.next_cursor ?? '' });
    expect(data.map(({ session_id }) => session_id)).to.deep.equal([two.id]);
    expect((await deleted({ cursor: next_cursor ?? '' })).data).to.deep.equal([]);
    expect((await follow()).map(({ session_id }) => session_id)).to.deep.equal([kept.id]);
    expect((await deleted({}, (await createOwner()).token)).data).to.deep.equal([]);
  });

  it('arrives once each, although the reader is killed again and again', async () => {
    const COUNT = 3_000;
    const { workspace_id, id: assistant_id } = assistant;
    const own = { workspace_id, assistant_id, type: 'text', simulated: false, ...completed } as const;
    const rows = Array.from({ length: COUNT }, (_, index) => ({
      id: typeid('sess').toString(),
      ...own,
      completed_at: new Date(),
      assistant: assistant.freeze(),
      metadata: { call_id: `c-${index}` },
    }));
    for (let at = 0; at < COUNT; at += 500) await SessionModel.query().insert(rows.slice(at, at + 500));
    const lines: Line[] = [];
    for (let tries = 0; lines.length < COUNT; tries++) {
      // The limit is within the first line, within a page, or behind several pages.
      lines.push(...(await follow(lines.at(-1)?.cursor, [100, 50_000, 400_000, 900_000][tries % 4])));
      expect(tries).to.be.below(100);
    }
    expect(lines).to.have.length(COUNT);
    expect(new Set(lines.map(({ session_id }) => session_id)).size).to.equal(COUNT);
    expect(await follow(lines.at(-1)?.cursor)).to.deep.equal([]);
  });

  it('is not listed after a cursor of another order, or of a time that no database has', async () => {
    const none = '0'.repeat(26);
    for (const path of [
      'deletions/sessions?',
      ...['created_at', 'completed_at', 'updated_at'].map((sort) => `exports/sessions?format=jsonl&sort=${sort}&`),
      ...['created_at', 'updated_at', '-completed_at', 'length', '-total_cost'].map((sort) => `sessions?sort=${sort}&`),
      'deliveries?sort=created_at&',
    ]) {
      const id = `${path.startsWith('deliveries') ? 'dlv' : 'sess'}_${none}`;
      for (const cursor of [id, `1e999,${id}`, `1e-999,${id}`, `${'9'.repeat(60)},${id}`]) {
        const url = `${api.url}${API_BASE}/v1/${path}cursor=${encodeURIComponent(cursor)}`;
        const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
        const { errors } = (await response.json()) as { errors?: { path: string }[] };
        expect([response.status, errors?.map((each) => each.path)], `${path}${cursor}`).to.deep.equal([
          422,
          ['cursor'],
        ]);
      }
    }
  });
});
