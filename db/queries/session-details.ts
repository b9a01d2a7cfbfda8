import { DeliveryModel } from '../models/delivery.ts';
import type { SessionModel } from '../models/session.ts';
import { VendorCallModel } from '../models/vendor-call.ts';
import type { SessionCost } from '../models/vendor-call.ts';

/** A session with the facts of other tables that every answer shows. */
export interface DetailedSession {
  row: SessionModel;
  cost: SessionCost;
  /** The session's latest delivery; undefined where there is none. */
  delivery: DeliveryModel | undefined;
}

/** Returns the sessions with their costs and deliveries, which two queries read for all of them. */
export async function addSessionDetails(rows: readonly SessionModel[]): Promise<DetailedSession[]> {
  const ids = rows.map((row) => row.id);
  const [costs, deliveries] = await Promise.all([VendorCallModel.findCosts(ids), DeliveryModel.findLatest(ids)]);
  return rows.map((row) => ({
    row,
    cost: costs.get(row.id) ?? { total_cost: 0, cost_known: true, items: [] },
    delivery: deliveries.get(row.id),
  }));
}
