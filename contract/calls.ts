/** What a vendor answered: docs/decisions.md, "Timeline". */
import { z } from 'zod';
import { CALL_STATUSES, STEPS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { openEnum, timestamp, typeId } from './fields.ts';

/** Declares the id of a call, which is its step and its number in the step: `analysis-1`. */
export const callId = () =>
  z
    .string()
    .regex(new RegExp(`^(${STEPS.join('|')})-[1-9]\\d{0,5}$`))
    .meta({ examples: ['analysis-1'] });

const VendorCallSchema = z
  .object({
    call_id: z.string().meta({ examples: ['analysis-1'] }),
    step: openEnum(STEPS),
    attempt: z.int().min(1),
    provider: z.string(),
    model: z.string().nullable(),
    status: openEnum(CALL_STATUSES),
    started_at: timestamp(),
    ended_at: timestamp().nullable(),
    vendor_request_id: z.string().nullable(),
    vendor_response: z.unknown().describe("The vendor's whole answer, as it was stored; null where there is none."),
  })
  .meta({ id: 'VendorCall' });

export type VendorCall = z.output<typeof VendorCallSchema>;

export const getSessionCall = endpoint({
  operationId: 'getSessionCall',
  method: 'get',
  path: '/v1/sessions/{id}/calls/{call_id}',
  summary: "One call to a vendor, with the vendor's answer",
  tag: 'Sessions',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('sess'), call_id: callId() }),
  answers: { 200: VendorCallSchema },
});
