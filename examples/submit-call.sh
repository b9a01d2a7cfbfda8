#!/bin/sh
# Submits the recording of a call that has ended: submit-call.sh FILE CALL_ID. Runs on the telephone system.
# Reads API_URL, API_TOKEN and ASSISTANT_ID. A repetition gets the same session, because of the Idempotency-Key.
set -eu
curl --silent --show-error --fail-with-body --retry 5 --retry-connrefused "$API_URL/api/v1/requests/voice" \
  -H "Authorization: Bearer $API_TOKEN" -H "Idempotency-Key: $2" -H 'Prefer: respond-async' \
  -F "assistant_id=$ASSISTANT_ID" -F "metadata={\"call_id\":\"$2\"}" -F "audio_file=@$1"
