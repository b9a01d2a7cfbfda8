import { Model, type PartialModelObject, type TransactionOrKnex } from 'objection';
import type { SignInPolicy } from '../../contract/values/constants.ts';
import type { BudgetLimits } from './provider-call.ts';
import { readRows } from '../statements.ts';

/** The column `payer` of a row that belongs to a workspace. */
export const PAYER = 'payer_of(workspace_id) as payer';

/** A condition: the row belongs to a workspace that shares limits with the given one. */
export const PAID_WITH = 'workspace_id = any (paid_with(?))';

export class WorkspaceModel extends Model {
  static override tableName = 'workspaces';
  declare id: string;
  declare name: string;
  /** Limit per calendar month (UTC) in US dollars; null: none. */
  declare monthly_budget_usd: number | null;
  /** What logins must have. */
  declare sign_in: SignInPolicy;
  /** Its tokens are refused from this time; null: in use. */
  declare disabled_at: Date | null;
  /** When it was deleted; its rows are removed later. */
  declare deleted_at: Date | null;
  declare created_at: Date;

  /** Makes other transactions that lock the workspace wait until the end of this one. Row inserts do not wait. */
  static async lock(id: string, trx: TransactionOrKnex): Promise<void> {
    await WorkspaceModel.query(trx).select('id').findById(id).forNoKeyUpdate();
  }

  /** Returns what the workspace spent this month, and its budget; null: none. In US dollars. */
  static async findSpending(workspaceId: string): Promise<{ spent_usd: number; budget_usd: number | null }> {
    const [row] = await readRows<{ spent_usd: number; budget_usd: number | null }[]>(
      `select monthly_budget_usd::float8 as budget_usd, coalesce((
         select spent_usd from monthly_spending where month = ${THIS_MONTH} and workspace_id = workspaces.id), 0)::float8 as spent_usd
       from workspaces where id = :workspaceId`,
      { workspaceId },
    );
    return row ?? { spent_usd: 0, budget_usd: null };
  }

  /** Returns whether this month's budget of the workspace, its owner or the installation is reached, so that no provider call starts. */
  static async isBudgetSpent(
    workspaceId: string,
    { maxUsd, installationUsd }: BudgetLimits,
    trx: TransactionOrKnex = WorkspaceModel.knex(),
  ): Promise<boolean> {
    const [row] = await readRows<{ is_spent: boolean | null }[]>(
      `select least(monthly_budget_usd, cast(:maxUsd as numeric)) <= coalesce((
           select spent_usd from monthly_spending where month = ${THIS_MONTH} and workspace_id = workspaces.id), 0)
         or cast(:maxUsd as numeric) <= (
           select sum(spent_usd) from monthly_spending where month = ${THIS_MONTH} and owner_id = coalesce((
             select owner_id from monthly_spending where month = ${THIS_MONTH} and workspace_id = workspaces.id), owner_of(workspaces.id)))
         or cast(:installationUsd as numeric) <= (
           select coalesce(sum(spent_usd), 0) from monthly_spending where month = ${THIS_MONTH}) as is_spent
       from workspaces where id = :workspaceId`,
      { workspaceId, maxUsd, installationUsd },
      trx,
    );
    return row?.is_spent ?? false;
  }
}

const THIS_MONTH = "cast(date_trunc('month', now() at time zone 'UTC') as date)";

type OwnedModel = Model & { id: string; workspace_id: string };

/**
 * Inserts a row and returns it, or returns undefined if the workspace has `max` rows. Locks the workspace until the end of
 * the transaction, so that concurrent requests can't exceed the limit.
 * @param isCounted SQL condition of the rows that count.
 */
export async function insertWithin<M extends OwnedModel>(
  trx: TransactionOrKnex,
  model: { new (): M } & typeof Model,
  row: PartialModelObject<M> & { workspace_id: string },
  max: number,
  isCounted = 'true',
): Promise<M | undefined> {
  await WorkspaceModel.lock(row.workspace_id, trx);
  const count = await model.query(trx).where({ workspace_id: row.workspace_id }).whereRaw(isCounted).resultSize();
  return count >= max ? undefined : ((await model.query(trx).insert(row).returning('*')) as M);
}
