import type { TransactionOrKnex } from 'objection';
import { readRows } from '../statements.ts';

interface Notice {
  workspace_id: string;
  /** Host of the receiver that failed. */
  receiver: string;
  /** Where the failure is reported. */
  url: string;
}

/** Returns whether the failure of a receiver may be reported now: it was not reported to this URL within the last hour. */
export async function claimNotice(notice: Notice, trx: TransactionOrKnex): Promise<boolean> {
  const rows = await readRows(
    `insert into receiver_notices as notice values (:workspace_id, :receiver, md5(:url), now())
     on conflict (workspace_id, receiver, url_hash) do update set reported_at = now()
       where notice.reported_at <= now() - interval '1 hour'
     returning reported_at`,
    { ...notice },
    trx,
  );
  return rows.length === 1;
}
