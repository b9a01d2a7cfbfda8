"""Analyzes a dialogue with the generated client, then estimates a batch: API_TOKEN=... python3 examples/python/analyze_dialogue.py

Generate the client first: docs/build-a-back-end.md.
"""

import os
import uuid

from conversation_analysis_service_client import AuthenticatedClient
from conversation_analysis_service_client.api.assistants import create_assistant
from conversation_analysis_service_client.api.batches import create_batch
from conversation_analysis_service_client.api.requests import submit_text_request
from conversation_analysis_service_client.api.sessions import get_session
from conversation_analysis_service_client.models import (
    Assistant,
    AssistantInput,
    BatchEstimate,
    BatchFilter,
    BatchInput,
    BatchInputAction,
    Problem,
    Session,
    TextRequestInput,
    TurnInput,
)

# Seconds that one request waits for a result.
WAIT_S = 30


def succeeded(answer, kind):
    """Returns the response, or ends with the API's error message."""
    if isinstance(answer, Problem):
        raise SystemExit(f"{answer.title}: {answer.detail}")
    assert isinstance(answer, kind), answer
    return answer


url = os.environ.get("API_URL", "http://127.0.0.1:3000")
client = AuthenticatedClient(base_url=f"{url}/api", token=os.environ["API_TOKEN"], timeout=WAIT_S + 30)

settings = AssistantInput.from_dict(
    {
        "name": "Support call review",
        "type": "text",
        "llm_provider": "openai",
        "system_prompt": "Summarize the call. Was the problem solved?",
    }
)
assistant = succeeded(create_assistant.sync(client=client, body=settings), Assistant)

request = TextRequestInput(
    assistant_id=assistant.id,
    conversation=[
        TurnInput(role="operator", text="Good morning, how can I help?"),
        TurnInput(role="client", text="My parcel has not arrived."),
    ],
)
# With the key, the request can be repeated after a lost connection without creating a second session.
key = str(uuid.uuid4())
session = succeeded(
    submit_text_request.sync(client=client, body=request, idempotency_key=key, prefer="respond-async"), Session
)
while session.completed_at is None:
    session = succeeded(get_session.sync(session.session_id, client=client, wait=WAIT_S), Session)
print(session.status, session.summary_text)

batch = BatchInput(
    action=BatchInputAction.REANALYZE,
    filter_=BatchFilter(assistant_id=assistant.id),
    dry_run=True,
)
estimate = succeeded(create_batch.sync(client=client, body=batch), BatchEstimate)
print(f"Reanalyzing {estimate.total} session(s) costs about {estimate.expected_cost_usd} USD.")
