/** Runs the receivers in Python and Go, and sends each an event, a redelivery, and an event with a wrong signature. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../local/ports.ts';
import { StartError } from '../../runtime/process/process.ts';
import { run } from './generators.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const SECRET = 'a-secret-of-the-receiver';
const BODY = JSON.stringify({ event: 'session.completed', session_id: 'sess_1', summary_text: 'A parcel is missing.' });

/** The last two characters of a delivery's ID, and of the ID of the original; the expected status. */
const FIRST = { id: '01', status: 204 };
const REDELIVERY = { id: '02', original: '01', status: 204 };
const OTHER = { id: '03', status: 204 };
const FORGED = { id: '04', secret: 'another-secret', status: 401 };

type Delivery = { id: string; original?: string; secret?: string; status: number };

const toId = (end: string) => `dlv_01kaj4v5rzf1xtm8w3b2c9d0${end}`;

async function deliver(url: string, { id, original, secret = SECRET, status }: Delivery): Promise<void> {
  const [now, delivery] = [new Date(), toId(id)];
  const response = await fetch(url, {
    method: 'POST',
    body: BODY,
    headers: {
      'X-Webhook-Delivery': delivery,
      ...(original !== undefined && { 'X-Webhook-Replayed-From': toId(original) }),
      'webhook-id': delivery,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(delivery, now, BODY),
    },
  });
  if (response.status !== status) throw new StartError(`Delivery ${id}: HTTP ${response.status} instead of ${status}`);
}

/** Runs a receiver for these deliveries. Returns the number of events that it reports as new. */
async function countNew(program: string, args: string[], directory: string, deliveries: Delivery[]): Promise<number> {
  const port = await freePort();
  const settings = { WEBHOOK_SECRET: SECRET, PORT: String(port), DATABASE: join(directory, 'events.db') };
  const env = { ...process.env, ...settings, EVENTS: join(directory, 'events') };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const exited = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    for (const delivery of deliveries) await deliver(`http://127.0.0.1:${port}/`, delivery);
  } finally {
    child.kill();
    await exited;
  }
  return lines.filter((line) => !line.startsWith('listening')).length;
}

/** Throws if the receiver of a language stores an event twice, also after a restart, or accepts a wrong signature. */
export async function checkReceiver(language: 'Python' | 'Go', directory: string): Promise<void> {
  const go = join(directory, 'receiver');
  if (language === 'Go') await run('go', ['build', '-o', go, join(EXAMPLES, 'webhook_receiver.go')]);
  const [program, args] = language === 'Go' ? [go, []] : ['python3', [join(EXAMPLES, 'webhook_receiver.py')]];
  const before = await countNew(program, args, directory, [FIRST, FIRST, REDELIVERY, FORGED]);
  const after = await countNew(program, args, directory, [REDELIVERY, FIRST, OTHER]);
  if (before !== 1 || after !== 1) throw new StartError(`${before} and ${after} events were new instead of 1 and 1`);
}
