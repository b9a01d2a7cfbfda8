"""Calls the service with the client that OpenAPI Generator generated."""

import os
import uuid

import openapi_client as service

configuration = service.Configuration(host=os.environ["API_URL"] + "/api", access_token=os.environ["API_TOKEN"])
client = service.ApiClient(configuration)

settings = service.AssistantInput(
    name="Review", type="text", llm_provider="openai", system_prompt="Summarize the call."
)
assistant = service.AssistantsApi(client).create_assistant(settings)
request = service.TextRequestInput(
    assistant_id=assistant.id,
    conversation=[service.TurnInput(role="client", text="My parcel has not arrived.")],
)
submitted = service.RequestsApi(client).submit_text_request(request, idempotency_key=str(uuid.uuid4()))

sessions = service.SessionsApi(client)
session = sessions.get_session(submitted.session_id)
listed = sessions.list_sessions(assistant_id=assistant.id)
try:
    sessions.get_session("sess_01kaj4v5rzf1xtm8w3b2c9d0e7")
    raise SystemExit("found a session that does not exist")
except service.ApiException as error:
    problem = service.Problem.from_json(error.body)
event = service.FailedWebhookPayload.from_json(os.environ["WEBHOOK"])
print(session.status, len(listed.data), problem.code, event.status, event.error.code)
