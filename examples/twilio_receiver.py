"""Receives the recordingStatusCallback of Twilio, and submits the recording by its URL. Python 3.9, without packages.

Set PUBLIC_URL to the callback's URL as Twilio calls it, and TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, API_URL, API_TOKEN and
ASSISTANT_ID. Start calls with <Record> or <Dial record="record-from-answer-dual">, or through REST with Record=true,
RecordingChannels=dual and RecordingStatusCallback=PUBLIC_URL.
"""

import base64
import hashlib
import hmac
import json
import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

SETTINGS = {name: os.environ[name] for name in ("PUBLIC_URL", "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "API_URL", "API_TOKEN", "ASSISTANT_ID")}


def is_genuine(fields, signature):
    """Returns whether Twilio signed the form: https://www.twilio.com/docs/usage/security"""
    signed = SETTINGS["PUBLIC_URL"] + "".join(name + value for name, value in sorted(fields.items()))
    digest = hmac.new(SETTINGS["TWILIO_AUTH_TOKEN"].encode(), signed.encode(), hashlib.sha1).digest()
    return hmac.compare_digest(base64.b64encode(digest).decode(), signature)


def submit(fields):
    """Submits the recording. A callback that Twilio repeats gets the same session, because of the Idempotency-Key."""
    account = f"{SETTINGS['TWILIO_ACCOUNT_SID']}:{SETTINGS['TWILIO_AUTH_TOKEN']}"
    channels = fields.get("RecordingChannels", "1")
    body = {
        "assistant_id": SETTINGS["ASSISTANT_ID"],
        "audio_url": f"{fields['RecordingUrl']}.wav?RequestedChannels={channels}",
        "audio_headers": {"Authorization": "Basic " + base64.b64encode(account.encode()).decode()},
        "metadata": {"call_sid": fields["CallSid"], "recording_sid": fields["RecordingSid"]},
    }
    headers = {
        "Authorization": f"Bearer {SETTINGS['API_TOKEN']}",
        "Content-Type": "application/json",
        "Idempotency-Key": fields["RecordingSid"],
        "Prefer": "respond-async",
    }
    request = urllib.request.Request(f"{SETTINGS['API_URL']}/api/v1/requests/voice", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10):
        return 204


class Callback(BaseHTTPRequestHandler):
    def do_POST(self):
        form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        fields = dict(parse_qsl(form, keep_blank_values=True))
        if not is_genuine(fields, self.headers.get("X-Twilio-Signature", "")):
            status = 403
        elif fields.get("RecordingStatus", "completed") != "completed":
            status = 204
        else:
            try:
                status = submit(fields)
            except urllib.error.HTTPError as error:
                print(error.code, error.read().decode())
                status = error.code
            except OSError as error:
                print(error)
                status = 503
        self.send_response(status)
        self.end_headers()


if __name__ == "__main__":
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080"))), Callback)
    print(f"Waiting on port {server.server_port}", flush=True)
    server.serve_forever()
