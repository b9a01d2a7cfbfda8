import type { VendorCall } from '../../contract/calls.ts';
import type { VendorCallModel } from '../../db/models/vendor-call.ts';

export function presentVendorCall(row: VendorCallModel): VendorCall {
  const { step, attempt, provider, model, status, vendor_request_id, vendor_response } = row;
  return {
    ...{ call_id: row.callId, step, attempt, provider, model, status, vendor_request_id, vendor_response },
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
