/**
 * Receives webhooks, verifies them and drops duplicates: `WEBHOOK_SECRET=… PORT=4000 node examples/webhook-receiver.ts`.
 * Needs the package `standardwebhooks`; docs/webhooks.md shows how to do without it.
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET: secret = '', PORT: port = '4000' } = process.env;

// The secret's own bytes are the key: `format: 'raw'`. Without it, the package would decode the secret as base64.
const webhook = new Webhook(secret, { format: 'raw' });

/** In real life a table with a unique column: it has to outlive this process. */
const seen = new Set<string>();

interface Event {
  event: 'session.completed' | 'session.failed' | 'webhook.test';
  session_id: string;
  summary_text: string | null;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    // The bytes as they came: parsed and printed again, JSON has another signature.
    const body = Buffer.concat(chunks).toString();
    let event: Event;
    try {
      event = webhook.verify(body, request.headers as Record<string, string>) as Event;
    } catch {
      response.writeHead(401).end();
      return;
    }
    const delivery = String(request.headers['x-webhook-delivery']);
    const isNew = !seen.has(delivery);
    seen.add(delivery);
    // Answer first, work afterwards: the service waits ten seconds at most. A duplicate is a success too.
    response.writeHead(204).end();
    if (isNew) console.log(`${event.event} ${event.session_id}: ${event.summary_text ?? 'no summary'}`);
  });
});

server.listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));
