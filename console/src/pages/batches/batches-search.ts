import { BATCH_STATUSES } from '../../../../contract/constants.ts';
import { clean, oneOf } from '../../search/parse.ts';

/** Returns the filters of the list of batches, as its URL names them. */
export const parseBatchesSearch = (raw: Record<string, unknown>) =>
  clean({ status: oneOf(raw, 'status', BATCH_STATUSES) });
