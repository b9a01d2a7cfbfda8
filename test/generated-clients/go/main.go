// Calls the service with the client that oapi-codegen generated.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/test/service"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_TOKEN"))
		return nil
	}
	client := must(service.NewClientWithResponses(os.Getenv("API_URL")+"/api", service.WithRequestEditorFn(authorize)))

	created := must(client.CreateAssistantWithResponse(ctx, nil, service.AssistantInput{
		Name: "Review", Type: "text", LlmProvider: "openai", SystemPrompt: "Summarize the call.",
	}))
	assistant := found(created.JSON201, created.Body)

	key := fmt.Sprint(time.Now().UnixNano())
	submitted := must(client.SubmitTextRequestWithResponse(ctx, &service.SubmitTextRequestParams{IdempotencyKey: &key},
		service.TextRequestInput{
			AssistantId:  assistant.Id,
			Conversation: []service.TurnInput{{Role: "client", Text: "My parcel has not arrived."}},
		}))
	id := found(submitted.JSON200, submitted.Body).SessionId

	read := must(client.GetSessionWithResponse(ctx, id, nil))
	session := found(read.JSON200, read.Body)
	listed := must(client.ListSessionsWithResponse(ctx, &service.ListSessionsParams{AssistantId: &assistant.Id}))
	missing := must(client.GetSessionWithResponse(ctx, "sess_01kaj4v5rzf1xtm8w3b2c9d0e7", nil))
	problem := found(missing.ApplicationproblemJSON404, missing.Body)

	var event service.FailedWebhookPayload
	if err := json.Unmarshal([]byte(os.Getenv("WEBHOOK")), &event); err != nil {
		panic(err)
	}
	fmt.Println(session.Status, len(found(listed.JSON200, listed.Body).Data), problem.Code, event.Status, event.Error.Code)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func found[T any](value *T, body []byte) *T {
	if value == nil {
		panic("unexpected response: " + string(body))
	}
	return value
}
