/** The filters of the list of sessions, as its URL names them. */
import { ASSISTANT_TYPES, DELIVERY_STATUSES, SESSION_STATUSES } from '../../../../contract/constants.ts';
import { conditionsOf } from '../../fields/conditions.ts';
import { clean, numberOf, oneOf, textOf } from '../../search/parse.ts';
import { parsePairs } from '../lists/metadata-pairs.ts';
import { rangeOf } from '../lists/range.ts';

/** Returns the pairs that the metadata has to have, as they were typed. */
function metadataOf(raw: Record<string, unknown>): string | undefined {
  const pairs = textOf(raw, 'metadata');
  return pairs !== undefined && parsePairs(pairs).length > 0 ? pairs : undefined;
}

/** Returns the least cost as it was typed: its own text is what the field shows. */
function amountOf(raw: Record<string, unknown>): string | undefined {
  const amount = textOf(raw, 'min_cost');
  return amount !== undefined && Number(amount) >= 0 ? amount : undefined;
}

/** Returns what only means something of one assistant. */
const ofAssistant = (raw: Record<string, unknown>) =>
  textOf(raw, 'assistant_id') === undefined
    ? {}
    : { assistant_version: numberOf(raw, 'assistant_version'), field: conditionsOf(raw) };

export const parseSessionsSearch = (raw: Record<string, unknown>) =>
  clean({
    q: textOf(raw, 'q'),
    status: oneOf(raw, 'status', SESSION_STATUSES),
    type: oneOf(raw, 'type', ASSISTANT_TYPES),
    assistant_id: textOf(raw, 'assistant_id'),
    delivery_status: oneOf(raw, 'delivery_status', DELIVERY_STATUSES),
    source_session_id: textOf(raw, 'source_session_id'),
    batch_id: textOf(raw, 'batch_id'),
    metadata: metadataOf(raw),
    llm_model: textOf(raw, 'llm_model'),
    simulated: oneOf(raw, 'simulated', ['true', 'false']),
    trial: oneOf(raw, 'trial', ['true', 'false']),
    min_cost: amountOf(raw),
    ...ofAssistant(raw),
    ...rangeOf(raw),
  });

export type SessionsSearch = ReturnType<typeof parseSessionsSearch>;
