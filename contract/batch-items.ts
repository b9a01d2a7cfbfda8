/** What a batch has begun: docs/decisions.md, "Batches". */
import { z } from 'zod';
import { SESSION_STATUSES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, openEnum, pageQuery, typeId } from './fields.ts';
import { SessionErrorSchema } from './sessions.ts';

const ITEM_STATUSES = [...SESSION_STATUSES, 'deleted'] as const;

const BatchItemSchema = z
  .object({
    source_session_id: typeId('sess').describe('The session of the filter; it may be deleted by now.'),
    session_id: typeId('sess').describe('What was made of it: itself, but for a reanalysis.'),
    status: openEnum(ITEM_STATUSES),
    error: SessionErrorSchema.nullable(),
  })
  .meta({ id: 'BatchItem' });

export type BatchItem = z.output<typeof BatchItemSchema>;

export const listBatchItems = endpoint({
  operationId: 'listBatchItems',
  method: 'get',
  path: '/v1/batches/{id}/items',
  summary: 'The sessions that a batch has begun and where each stands, newest source first',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('bat') }),
  query: z.strictObject({ status: z.enum(ITEM_STATUSES).optional(), ...pageQuery('sess') }),
  answers: { 200: listOf(BatchItemSchema).meta({ id: 'BatchItemList' }) },
});
