"""Receives webhooks, verifies them and drops duplicates: WEBHOOK_SECRET=... PORT=4000 python3 examples/webhook_receiver.py

Python's standard library alone.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE_S = 300

# In real life a table with a unique column: it has to outlive this process.
seen = set()


def is_genuine(headers, body: bytes) -> bool:
    """Whether the service sent these bytes, and not long ago."""
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
        # The bytes as they came: parsed and printed again, JSON has another signature.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            self.answer(401)
            return
        delivery = self.headers["X-Webhook-Delivery"]
        is_new = delivery not in seen
        seen.add(delivery)
        # Answer first, work afterwards: the service waits ten seconds at most. A duplicate is a success too.
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
