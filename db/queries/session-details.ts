import type { CostItem } from '../../contract/sessions.ts';
import { DeliveryModel } from '../models/delivery.ts';
import { SessionModel } from '../models/session.ts';
import { prepared } from '../prepared.ts';
import { addUpCosts, COST_COLUMNS, VendorCallModel } from '../models/vendor-call.ts';
import type { SessionCost } from '../models/vendor-call.ts';

/** A session with the facts of other tables that every answer shows. */
export interface DetailedSession {
  row: SessionModel;
  cost: SessionCost;
  /** The session's latest delivery; undefined where there is none. */
  delivery: Pick<DeliveryModel, 'id' | 'status' | 'next_attempt_at'> | undefined;
}

/** Returns the sessions with their costs and deliveries, which two queries read for all of them. */
export async function addSessionDetails(rows: readonly SessionModel[]): Promise<DetailedSession[]> {
  const ids = rows.map((row) => row.id);
  const [costs, deliveries] = await Promise.all([VendorCallModel.findCosts(ids), DeliveryModel.findLatest(ids)]);
  return rows.map((row) => ({
    row,
    cost: costs.get(row.id) ?? addUpCosts([]),
    delivery: deliveries.get(row.id),
  }));
}

export async function addDetails(row: SessionModel): Promise<DetailedSession> {
  const [detailed] = await addSessionDetails([row]);
  return detailed as DetailedSession;
}

const COST_ITEMS = `(select json_agg(item) from (
    select step, provider, model, ${COST_COLUMNS} from vendor_calls where session_id = sessions.id
    group by step, provider, model order by step desc
  ) item) as cost_items`;

const LATEST_DELIVERY = `(select row_to_json(latest) from (
    select id, status, next_attempt_at from deliveries where session_id = sessions.id order by id desc limit 1
  ) latest) as latest_delivery`;

/** JSON has no times. */
interface ReadDetails {
  cost_items: CostItem[] | null;
  latest_delivery: (Pick<DeliveryModel, 'id' | 'status'> & { next_attempt_at: string | null }) | null;
}

/** Returns a session with its details, all in one statement; undefined if there is none of this id. */
export async function findDetailedSession(id: string): Promise<DetailedSession | undefined> {
  const one = SessionModel.query()
    .select('sessions.*', SessionModel.raw(COST_ITEMS), SessionModel.raw(LATEST_DELIVERY))
    .findById(id);
  const found = await prepared(one).castTo<(SessionModel & ReadDetails) | undefined>();
  if (!found) return undefined;
  const { cost_items, latest_delivery: latest } = found;
  const next_attempt_at = latest?.next_attempt_at == null ? null : new Date(latest.next_attempt_at);
  return {
    row: found,
    cost: addUpCosts(cost_items ?? []),
    delivery: latest ? { ...latest, next_attempt_at } : undefined,
  };
}
