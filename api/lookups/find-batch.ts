import { BatchModel } from '../../db/models/batch.ts';
import { ApiError } from '../errors.ts';

/** Returns a batch of the user; throws `not_found` if there is none of this id. */
export async function findBatch(userId: string, id: string): Promise<BatchModel> {
  const row = await BatchModel.findOwned(userId, id);
  if (!row) throw new ApiError('not_found', 'No batch of yours has this id.');
  return row;
}
