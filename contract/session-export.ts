/** Lists of sessions as files: docs/decisions.md, "Export". */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { sessionFilterQuery, sessionInclude } from './session-filter.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportSessions = endpoint({
  operationId: 'exportSessions',
  method: 'get',
  path: '/v1/exports/sessions',
  summary: 'Every session that the filters of the list let through, as a file, newest first',
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  query: z.strictObject({
    format: z
      .enum(EXPORT_FORMATS)
      .default('csv')
      .describe(
        '`csv`: for spreadsheets; no cell is a formula. `jsonl`: an item of the list on each line. ' +
          'A `csv` has a column for each field of the assistant with `include=fields`, which needs `assistant_id`.',
      ),
    ...sessionFilterQuery,
    include: sessionInclude(),
  }),
  answers: { 200: null },
  produces: ['text/csv', 'application/jsonl'],
});
