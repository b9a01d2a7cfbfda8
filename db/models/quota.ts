import { Model } from 'objection';
import type { PartialModelObject, TransactionOrKnex } from 'objection';
import { UserModel } from './user.ts';

type OwnedModel = Model & { id: string; user_id: string };

/**
 * Inserts a row of which its owner may have `max`. Returns undefined when there are as many already. The owner's row is
 * locked meanwhile, so that no two requests take the last place.
 */
export function insertWithin<M extends OwnedModel>(
  model: { new (): M } & typeof Model,
  row: PartialModelObject<M> & { user_id: string },
  max: number,
): Promise<M | undefined> {
  const rowsOf = (trx: TransactionOrKnex) => model.query(trx).where({ user_id: row.user_id });
  return Model.transaction(async (trx) => {
    await UserModel.query(trx).select('id').findById(row.user_id).forNoKeyUpdate();
    if ((await rowsOf(trx).resultSize()) >= max) return undefined;
    return (await model.query(trx).insert(row).returning('*')) as M;
  });
}
