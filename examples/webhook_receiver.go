// Receives webhooks, verifies them and stores each event once: WEBHOOK_SECRET=... PORT=4000 go run examples/webhook_receiver.go
//
// Uses only Go's standard library. Each event is a file in the directory EVENTS.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

var deliveryID = regexp.MustCompile(`^dlv_[0-9a-z]{26}$`)

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

// isGenuine returns whether the service sent these bytes within the last five minutes.
func isGenuine(header http.Header, body []byte, secret string) bool {
	sent, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(sent, 0)).Seconds()) > tolerance.Seconds() {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), sent, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// store writes the event to a file with the name of its delivery, and returns false if the file exists.
func store(directory, id string, body []byte) (bool, error) {
	file, err := os.CreateTemp(directory, ".new-*")
	if err != nil {
		return false, err
	}
	defer os.Remove(file.Name())
	if _, err = file.Write(body); err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return false, err
	}
	// A link appears with its whole content, or fails if the name exists.
	if err = os.Link(file.Name(), filepath.Join(directory, id+".json")); os.IsExist(err) {
		return false, nil
	}
	return err == nil, err
}

func main() {
	secret, directory := os.Getenv("WEBHOOK_SECRET"), env("EVENTS", "events")
	if err := os.MkdirAll(directory, 0o700); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		// The signature covers the exact bytes.
		body, err := io.ReadAll(request.Body)
		if err != nil || secret == "" || !isGenuine(request.Header, body, secret) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		// A redelivery has its own ID, and the ID of the original delivery in another header.
		id := request.Header.Get("X-Webhook-Replayed-From")
		if id == "" {
			id = request.Header.Get("X-Webhook-Delivery")
		}
		isNew, err := false, fmt.Errorf("invalid delivery ID")
		if deliveryID.MatchString(id) {
			isNew, err = store(directory, id, body)
		}
		if err != nil {
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError) // The service sends the event again.
			return
		}
		response.WriteHeader(http.StatusNoContent)
		if isNew {
			fmt.Printf("stored %s\n", id)
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+env("PORT", "4000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
