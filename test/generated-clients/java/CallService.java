import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AssistantsApi;
import org.openapitools.client.api.RequestsApi;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.model.*;

/** Calls the service with the client that OpenAPI Generator generated. */
public class CallService {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("API_URL") + "/api");
    client.setBearerToken(System.getenv("API_TOKEN"));

    AssistantInput settings = new AssistantInput()
        .name("Review")
        .type(AssistantInput.TypeEnum.TEXT)
        .llmProvider(AssistantInput.LlmProviderEnum.OPENAI)
        .systemPrompt("Summarize the call.");
    Assistant assistant = new AssistantsApi(client).createAssistant(settings, null);

    TextRequestInput request = new TextRequestInput()
        .assistantId(assistant.getId())
        .conversation(List.of(new TurnInput().role("client").text("My parcel has not arrived.")));
    String id = new RequestsApi(client)
        .submitTextRequest(request, null, UUID.randomUUID().toString(), null)
        .getSessionId();

    SessionsApi sessions = new SessionsApi(client);
    Session session = sessions.getSession(id, null, null, null);
    int listed = new AssistantsApi(client).listAssistants(1, null, null).getData().size();

    String code = "";
    try {
      sessions.getSession("sess_01kaj4v5rzf1xtm8w3b2c9d0e7", null, null, null);
    } catch (ApiException error) {
      code = Problem.fromJson(error.getResponseBody()).getCode();
    }
    FailedWebhookPayload event = FailedWebhookPayload.fromJson(System.getenv("WEBHOOK"));
    System.out.println(session.getStatus() + " " + listed + " " + code + " " + event.getStatus() + " " + event.getError().getCode());
  }
}
