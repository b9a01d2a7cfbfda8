"""Receives webhooks, verifies them and stores each event once: WEBHOOK_SECRET=... PORT=4000 python3 examples/webhook_receiver.py

Uses only Python's standard library. The events are in the SQLite database DATABASE.
"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE_S = 300

DATABASE = os.environ.get("DATABASE", "events.db")


def store(original: str, body: bytes) -> bool:
    """Stores an event and returns whether it is new."""
    connection = sqlite3.connect(DATABASE)
    try:
        with connection:
            connection.execute("create table if not exists events (delivery_id text primary key, body text)")
            added = connection.execute("insert or ignore into events values (?, ?)", (original, body.decode()))
            return added.rowcount == 1
    finally:
        connection.close()


def is_genuine(headers, body: bytes) -> bool:
    """Returns whether the service sent these bytes within the last five minutes."""
    delivery = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{delivery}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(
        hmac.compare_digest(signature.removeprefix("v1,").encode(), expected)
        for signature in signatures
        if signature.startswith("v1,")
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # Verify the exact bytes. JSON that was parsed and serialized again has a different signature.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            self.answer(401)
            return
        # A redelivery has its own ID, and the ID of the original delivery in another header.
        original = self.headers["X-Webhook-Replayed-From"] or self.headers["X-Webhook-Delivery"]
        is_new = store(original, body)
        # Respond after storing, which takes less than ten seconds, and before processing. Respond with 2xx to duplicates too.
        self.answer(204)
        if is_new:
            event = json.loads(body)
            print(event["event"], event["session_id"], event["summary_text"], flush=True)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
