import { SessionModel } from '../../db/models/session.ts';
import type { SessionEnd } from '../../db/queries/session-end.ts';
import { beginStep, finishSession } from '../../db/queries/session-status.ts';
import { createOwner, createSession } from '../support/factories.ts';

const COMPLETED: SessionEnd = {
  status: 'completed',
  summary_text: 'done',
  raw_response: { summary_text: 'done' },
  temperature_applied: true,
};

async function newSession(fields: Partial<SessionModel> = {}): Promise<SessionModel> {
  return createSession((await createOwner()).assistant, fields);
}

/** Whether this end took effect. */
async function finish(id: string, end: SessionEnd): Promise<boolean> {
  const ended: unknown = await SessionModel.transaction((trx) => finishSession(id, end, { trx }));
  return Boolean(ended);
}

const rowOf = ({ id }: SessionModel) => SessionModel.query().findById(id).throwIfNotFound();

describe('The row of a session', () => {
  it('that does not exist cannot start or end', async () => {
    const id = 'sess_01h455vb4pex5vsknk084sn02q';
    expect(await beginStep(id, 'analysis')).to.equal(undefined);
    expect(await finish(id, { status: 'canceled' })).to.equal(false);
  });

  it('gets one end if two occur concurrently', async () => {
    const session = await newSession();
    const ends: SessionEnd[] = [COMPLETED, { status: 'canceled' }];
    const won = await Promise.all(ends.map((end) => finish(session.id, end)));
    expect(won.filter(Boolean)).to.have.length(1);
    const { status, summary_text, completed_at } = await rowOf(session);
    expect(status).to.equal(ends[won.indexOf(true)]!.status);
    expect(summary_text).to.equal(status === 'completed' ? 'done' : null);
    expect(completed_at).to.be.instanceOf(Date);
  });

  it('can be withdrawn only before it has started', async () => {
    const [queued, begun] = [await newSession(), await newSession({ status: 'analyzing' })];
    expect(await SessionModel.withdraw(queued.id)).to.equal(true);
    expect(await SessionModel.withdraw(begun.id)).to.equal(false);
    expect(await SessionModel.query().findById(queued.id)).to.equal(undefined);
    expect((await rowOf(begun)).status).to.equal('analyzing');
  });

  it('is found by the sweep if it is unfinished and overdue, once per interval', async () => {
    const check_after = new Date(Date.now() - 120_000);
    const old = await Promise.all(
      (['queued', 'transcribing', 'analyzing'] as const).map((status) => newSession({ status, check_after })),
    );
    const others = [await newSession(), await newSession({ status: 'completed', check_after })];
    const find = async () => (await SessionModel.findOverdue(500)).map(({ id }) => id);
    const found = await find();
    expect(found).to.include.members(old.map(({ id }) => id));
    expect(found).not.to.include.any.members(others.map(({ id }) => id));
    const oldest = await newSession({ check_after: new Date(Date.now() - 86_400_000) });
    expect((await SessionModel.findOverdue(1)).map(({ id }) => id)).to.deep.equal([oldest.id]);
    await SessionModel.setChecked(oldest.id, 60);
    await Promise.all(old.map(({ id }) => SessionModel.setChecked(id, 60)));
    expect(await find()).not.to.include.any.members(old.map(({ id }) => id));
  });

  it('shows why its step waits, since the first failure, until it ends', async () => {
    const { id } = await newSession();
    const waitOf = async (id: string) => (await SessionModel.query().findById(id))?.waiting;
    expect((await beginStep(id, 'analysis'))?.waitedMs).to.equal(0);
    await SessionModel.storeWaiting(id, { provider: 'openai', reason: 'unavailable', delayMs: 60_000 });
    const first = await waitOf(id);
    expect(first).to.include({ provider: 'openai', reason: 'unavailable' });
    expect(Date.parse(first?.next_try_at ?? '') - Date.parse(first?.since ?? '')).to.equal(60_000);
    expect((await beginStep(id, 'analysis'))?.waitedMs).to.be.greaterThan(0);
    await SessionModel.storeWaiting(id, { provider: 'openai', reason: 'timeout', delayMs: 60_000 });
    const second = await waitOf(id);
    expect(second).to.include({ reason: 'timeout', since: first?.since });
    await finish(id, COMPLETED);
    expect(await waitOf(id)).to.equal(null);
    await SessionModel.storeWaiting(id, { provider: 'openai', reason: 'timeout', delayMs: 60_000 });
    expect(await waitOf(id), 'an ended session waits for nothing').to.equal(null);
  });
});
