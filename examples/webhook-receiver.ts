/**
 * Receives webhooks, verifies them and drops duplicates: `WEBHOOK_SECRET=… PORT=4000 npx node examples/webhook-receiver.ts`.
 * Needs the package `standardwebhooks`. docs/webhooks.md shows how to verify without it.
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET: secret = '', PORT: port = '4000' } = process.env;

// The signing key is the secret itself. Without `format: 'raw'`, the package would decode the secret from base64.
const webhook = new Webhook(secret, { format: 'raw' });

/** In production, use a table with a unique column, which survives restarts. */
const seen = new Set<string>();

interface Event {
  event: 'session.completed' | 'session.failed' | 'session.alert' | 'webhook.test';
  session_id: string;
  summary_text: string | null;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    // Verify the exact bytes. JSON that was parsed and serialized again has a different signature.
    const body = Buffer.concat(chunks).toString();
    let event: Event;
    try {
      event = webhook.verify(body, request.headers as Record<string, string>) as Event;
    } catch {
      response.writeHead(401).end();
      return;
    }
    // A redelivery has its own ID, and the ID of the original delivery in another header.
    const original = String(request.headers['x-webhook-replayed-from'] ?? request.headers['x-webhook-delivery']);
    const isNew = !seen.has(original);
    seen.add(original);
    // Respond before processing, because the service waits at most ten seconds. Respond with 200 to duplicates too.
    response.writeHead(204).end();
    if (isNew) console.log(`${event.event} ${event.session_id}: ${event.summary_text ?? 'no summary'}`);
  });
});

server.listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
