"""Calls the service with the client that openapi-python-client generated."""

import json
import os
import uuid

from conversation_analysis_service_client import AuthenticatedClient
from conversation_analysis_service_client.api.assistants import create_assistant
from conversation_analysis_service_client.api.requests import submit_text_request
from conversation_analysis_service_client.api.sessions import get_session, list_sessions
from conversation_analysis_service_client.models import (
    AssistantInput,
    FailedWebhookPayload,
    TextRequestInput,
    TurnInput,
)

client = AuthenticatedClient(base_url=os.environ["API_URL"] + "/api", token=os.environ["API_TOKEN"], timeout=60)
settings = AssistantInput.from_dict(
    {"name": "Review", "type": "text", "llm_provider": "openai", "system_prompt": "Summarize the call."}
)
assistant = create_assistant.sync(client=client, body=settings)
request = TextRequestInput(
    assistant_id=assistant.id, conversation=[TurnInput(role="client", text="My parcel has not arrived.")]
)
submitted = submit_text_request.sync(client=client, body=request, idempotency_key=str(uuid.uuid4()))
session = get_session.sync(submitted.session_id, client=client)
listed = list_sessions.sync(client=client, assistant_id=assistant.id)
problem = get_session.sync("sess_01kaj4v5rzf1xtm8w3b2c9d0e7", client=client)
event = FailedWebhookPayload.from_dict(json.loads(os.environ["WEBHOOK"]))
print(session.status, len(listed.data), problem.code, event.status, event.error.code)
