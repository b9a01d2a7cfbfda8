import { expect } from 'chai';
import pg from 'pg';
import { FINAL_SESSION_STATUSES } from '../../contract/constants.ts';
import { SESSION_FINISHED_CHANNEL, SessionModel } from '../../db/models/session.ts';
import type { SessionEnd } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { claimSlot, takeWakeable } from '../../db/queries/session-slots.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';

const COMPLETED: SessionEnd = {
  status: 'completed',
  summary_text: 'done',
  raw_response: { summary_text: 'done' },
  temperature_applied: true,
};

async function newSession(fields: Partial<SessionModel> = {}): Promise<SessionModel> {
  const { user } = await createUser();
  return createSession(await createAssistant(user.id), fields);
}

/** Whether this end was the one that counted. */
async function finish(id: string, end: SessionEnd): Promise<boolean> {
  const ended: unknown = await SessionModel.transaction((trx) => SessionModel.finish(id, end, trx));
  return Boolean(ended);
}

/** Returns how many askers for a slot wait for a lock. */
async function countBlocked(): Promise<number> {
  const { rows } = await SessionModel.knex().raw<{ rows: object[] }>(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query ~ 'claim_slot|begin_vendor_call'`,
  );
  return rows.length;
}

const rowOf = ({ id }: SessionModel) => SessionModel.query().findById(id).throwIfNotFound();

describe('The row of a session', () => {
  for (const status of FINAL_SESSION_STATUSES) {
    it(`that is ${status} neither begins again nor gets another end`, async () => {
      const session = await newSession({ status });
      expect(await claimSlot(session.id, 'analyzing', 50)).to.equal(undefined);
      expect(await finish(session.id, COMPLETED)).to.equal(false);
      expect(await rowOf(session)).to.deep.equal(session);
    });
  }

  it('that is not there neither begins nor ends', async () => {
    const id = 'sess_01h455vb4pex5vsknk084sn02q';
    expect(await claimSlot(id, 'analyzing', 50)).to.equal(undefined);
    expect(await finish(id, { status: 'canceled' })).to.equal(false);
  });

  it('begins from any state before its end, and shows it', async () => {
    for (const status of ['queued', 'transcribing', 'analyzing'] as const) {
      const session = await newSession({ status });
      expect((await claimSlot(session.id, 'analyzing', 50))?.id).to.equal(session.id);
      expect((await rowOf(session)).status).to.equal('analyzing');
    }
  });

  it('gets one end when two come at once', async () => {
    const session = await newSession();
    const ends: SessionEnd[] = [COMPLETED, { status: 'canceled' }];
    const won = await Promise.all(ends.map((end) => finish(session.id, end)));
    expect(won.filter(Boolean)).to.have.length(1);
    const { status, summary_text, completed_at } = await rowOf(session);
    expect(status).to.equal(ends[won.indexOf(true)]!.status);
    expect(summary_text).to.equal(status === 'completed' ? 'done' : null);
    expect(completed_at).to.be.instanceOf(Date);
  });

  it('announces its end when the end is committed, and not before', async () => {
    const [session, undone] = [await newSession(), await newSession()];
    const listener = new pg.Client({ connectionString: testDatabase().url });
    await listener.connect();
    const heard: unknown[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query(`listen ${SESSION_FINISHED_CHANNEL}`);
    await SessionModel.transaction(async (trx) => {
      await SessionModel.finish(undone.id, COMPLETED, trx);
      await trx.rollback();
    }).catch(() => undefined);
    await finish(session.id, COMPLETED);
    await eventually(
      () => heard,
      (ids) => ids.includes(session.id),
    );
    await listener.end();
    expect(heard).not.to.include(undone.id);
    expect((await rowOf(undone)).status).to.equal('queued');
  });

  it('can be withdrawn only before it has begun', async () => {
    const [queued, begun] = [await newSession(), await newSession({ status: 'analyzing' })];
    expect(await SessionModel.withdraw(queued.id)).to.equal(true);
    expect(await SessionModel.withdraw(begun.id)).to.equal(false);
    expect(await SessionModel.query().findById(queued.id)).to.equal(undefined);
    expect((await rowOf(begun)).status).to.equal('analyzing');
  });

  it('of a recording that went before there was a transcript is not put back into the queue', async () => {
    const voice = { type: 'voice', status: 'failed', completed_at: new Date() } as const;
    const lost = await newSession(voice);
    const heard = await newSession({ ...voice, transcript: { text: 'a', language: null, duration_s: 1 } });
    expect(await SessionModel.requeue(lost.id)).to.equal(undefined);
    expect(await rowOf(lost)).to.deep.equal(lost);
    expect((await SessionModel.requeue(heard.id))?.status).to.equal('queued');
  });

  it('is found by the sweep while it is unfinished and overdue, until it was looked at', async () => {
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

  describe('that is one of many of its owner', () => {
    const CAP = 2;
    const claim = (session: SessionModel) => claimSlot(session.id, 'analyzing', CAP);
    const idsOf = (sessions: SessionModel[]) => sessions.map(({ id }) => id);

    /** Sessions of one owner, the oldest first. */
    async function sessions(count: number): Promise<SessionModel[]> {
      const { user } = await createUser();
      const assistant = await createAssistant(user.id);
      const created: SessionModel[] = [];
      for (let i = 0; i < count; i++) created.push(await createSession(assistant));
      return created;
    }

    it('is woken if, and only if, it would begin: whatever the older ones do', async () => {
      const all = await sessions(6);
      const [oldest, second, third, fourth] = all as [SessionModel, SessionModel, SessionModel, SessionModel];
      const wake = () => takeWakeable(CAP, oldest.user_id);
      // Nobody started the two oldest ones: those behind them wait, and are not woken for nothing.
      for (const session of all.slice(2)) expect(await claim(session)).to.equal(undefined);
      expect(await wake()).to.deep.equal([]);
      for (const session of [oldest, second]) expect(await claim(session)).to.include({ status: 'analyzing' });
      expect(await wake()).to.deep.equal([]);
      await finish(oldest.id, COMPLETED);
      expect(await wake()).to.deep.equal([third.id]);
      expect(await claim(fourth)).to.equal(undefined);
      expect(await claim(third)).to.include({ status: 'analyzing', waiting_for_slot: false });
    });

    it('is woken once by ends that come together, and again when its call may be lost', async () => {
      const all = await sessions(3 * CAP);
      const [{ user_id, id }] = all as [SessionModel];
      for (const session of all) await claim(session);
      await Promise.all(all.slice(0, CAP).map((session) => finish(session.id, COMPLETED)));
      const woken = await Promise.all(Array.from({ length: 8 }, () => takeWakeable(CAP, user_id)));
      expect(woken.flat().sort()).to.deep.equal(idsOf(all.slice(CAP, 2 * CAP)));
      await SessionModel.query()
        .patch({ woken_at: new Date(Date.now() - 11_000) })
        .where({ user_id });
      expect((await takeWakeable(CAP)).sort()).to.include.members(idsOf(all.slice(CAP, 2 * CAP)));
      expect(id).to.equal(all[0]?.id);
    });

    const open = async ({ id: session_id, user_id, assistant_id }: SessionModel) => {
      const call = { session_id, user_id, assistant_id, step: 'analysis', provider: 'openai', model: 'm' } as const;
      const budgets = { maxUsd: null, installationUsd: null };
      const limits = { since: new Date(0), maxCalls: 25, maxInFlight: CAP, budgets };
      return (await VendorCallModel.open({ ...call, reserved_usd: 0 }, limits)).attempt ?? undefined;
    };
    for (const [name, ask] of Object.entries({ claim, open })) {
      it(`gets the slot of one that ends while it is being refused: ${name}`, async () => {
        const [first, second, third] = (await sessions(CAP + 1)) as [SessionModel, SessionModel, SessionModel];
        for (const session of [first, second]) await claim(session);
        const holder = await SessionModel.startTransaction();
        await SessionModel.query(holder).findById(third.id).forUpdate();
        const asking = ask(third);
        await eventually(countBlocked, (count) => count === 1);
        await finish(first.id, COMPLETED);
        expect(await takeWakeable(CAP, third.user_id)).to.deep.equal([]);
        await holder.rollback();
        expect(await asking).not.to.equal(undefined);
      });
    }

    it('never begins while as many are in flight as may be, however they ask at once', async () => {
      const all = await sessions(10);
      const began = (await Promise.all(all.map(claim))).flatMap((session) => session ?? []);
      expect(idsOf(began)).to.have.members(idsOf(all.slice(0, began.length)));
      expect(began.length).to.be.within(1, CAP);
    });
  });

  it("is never found under another user's name", async () => {
    const session = await newSession();
    const { user } = await createUser();
    expect(await SessionModel.findOwned(user.id, session.id)).to.equal(undefined);
    expect((await SessionModel.findOwned(session.user_id, session.id))?.id).to.equal(session.id);
  });
});
