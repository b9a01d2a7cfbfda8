/** What an installation needs from others: providers, a webhook receiver, and a server with recordings. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import type { Stop } from '../../runtime/process/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { toneWav } from '../support/audio.ts';
import { eventually } from '../support/eventually.ts';

export const WEBHOOK_SECRET = 'the-secret-of-the-receiver';

export const SAMPLE = readFileSync(new URL('../../examples/samples/support-call.mp3', import.meta.url));

/** A large recording: 20 minutes at 8 kHz, 18 MiB. */
const LARGE_S = 1_200;

interface WebhookEvent {
  event: string;
  session_id?: string;
}

export interface Outside {
  /** Settings of the installation that lead to these servers. */
  settings: Record<string, string>;
  webhookUrl: string;
  recordingUrl: string;
  largeRecordingUrl: string;
  /** Resolves when a verified `session.completed` has arrived for each session. Throws if a signature was not valid. */
  untilDelivered(sessionIds: readonly string[], timeoutMs?: number): Promise<void>;
  /** Returns the number of webhooks beyond one per session. */
  countRepeated(sessionIds: readonly string[]): number;
}

export async function startOutside(host: string, stops: Stop[]): Promise<Outside> {
  const standIns = await startStandIns({ host });
  stops.push(() => standIns.stop());
  const { SIMULATED_PROVIDERS, ...providers } = standInEnvironment(['openai', 'whisper'], standIns.url);
  void SIMULATED_PROVIDERS; // refused in production

  const events = new Map<string, string[]>();
  const faults: string[] = [];
  const webhook = new Webhook(WEBHOOK_SECRET, { format: 'raw' });
  const receiver = await startReceiver((response, { body, headers }) => {
    try {
      const { event, session_id: id = '' } = webhook.verify(body, headers as Record<string, string>) as WebhookEvent;
      events.set(id, [...(events.get(id) ?? []), event]);
      response.end();
    } catch (error) {
      faults.push(`a webhook has no valid signature: ${String(error)}`);
      response.writeHead(401).end();
    }
  }, host);
  stops.push(() => receiver.stop());

  const large = toneWav({ channels: 1, seconds: LARGE_S });
  const recordings = createServer((request, response) => {
    const isLarge = request.url === '/large.wav';
    response.writeHead(200, { 'Content-Type': isLarge ? 'audio/wav' : 'audio/mpeg' });
    response.end(isLarge ? large : SAMPLE);
  });
  await once(recordings.listen(0, host), 'listening');
  stops.push(() => void recordings.close());
  const { port } = recordings.address() as AddressInfo;
  return {
    settings: { ...providers, WEBHOOK_ALLOW_HOSTS: host, AUDIO_URL_ALLOW_HOSTS: host },
    webhookUrl: receiver.url,
    recordingUrl: `http://${host}:${port}/call.mp3`,
    largeRecordingUrl: `http://${host}:${port}/large.wav`,
    async untilDelivered(ids, timeoutMs = 240_000) {
      const missing = () => ids.filter((id) => !events.get(id)?.includes('session.completed'));
      await eventually(() => missing().length, 0, timeoutMs);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    countRepeated: (ids) => ids.reduce((sum, id) => sum + (events.get(id)?.length ?? 1) - 1, 0),
  };
}
