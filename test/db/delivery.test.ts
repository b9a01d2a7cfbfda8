import type { DeliveryStatus } from '../../contract/values/constants.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { createDelivery, createOwner, createSession } from '../support/factories.ts';

const READS = 200;

describe('A delivery', () => {
  it('is overdue if its next attempt is late, but not during an attempt or after its end', () => {
    const due = (status: DeliveryStatus, agoMs: number | null) =>
      DeliveryModel.fromJson({ status, next_attempt_at: agoMs === null ? null : new Date(100_000 - agoMs) });
    const isOverdue = (row: DeliveryModel) => row.isOverdue(new Date(100_000));
    expect(isOverdue(due('pending', 31_000))).to.equal(true);
    for (const row of [due('pending', 29_000), due('pending', -60_000), due('pending', null), due('failed', 31_000)]) {
      expect(isOverdue(row)).to.equal(false);
    }
  });

  it('is read together with its attempts in one snapshot', async () => {
    const session = await createSession((await createOwner()).assistant);
    const { id } = await createDelivery(session);
    await DeliveryAttemptModel.open({ delivery_id: id, attempt: 1, url: 'https://example.com', request_headers: {} });
    /** Writes the same value to both rows in one transaction. */
    const write = (next_attempt_at: Date) =>
      DeliveryModel.transaction(async (trx) => {
        await DeliveryAttemptModel.query(trx).patch({ next_attempt_at }).where({ delivery_id: id });
        await DeliveryModel.query(trx).patch({ next_attempt_at }).where({ id });
      });
    await write(new Date(0));
    let isReading = true;
    const writing = (async () => {
      for (let time = 1; isReading; time++) await write(new Date(time));
    })();
    try {
      for (let i = 0; i < READS; i++) {
        const found = [
          await DeliveryModel.findOwned(session.workspace_id, id),
          ...(await DeliveryModel.findPageOfSession(session.workspace_id, session.id, { limit: 1 })).rows,
        ];
        expect(found).to.have.length(2);
        for (const row of found) expect(row?.attempts?.[0]?.next_attempt_at).to.deep.equal(row?.next_attempt_at);
      }
    } finally {
      isReading = false;
      await writing;
    }
  });
});
