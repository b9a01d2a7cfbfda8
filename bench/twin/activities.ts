/** The twin's steps: the calls of providers and receivers over plain HTTP, each between two commits. */
import { createHmac, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { heartbeat } from '@temporalio/activity';
import type { TwinStore } from './store.ts';

const HEARTBEAT_MS = 5_000;
const AGENT = new Agent({ keepAlive: true });

interface Post {
  headers?: Record<string, string>;
  /** Sent after the first and before the second part of `body`. */
  file?: string;
  body: readonly [string, string];
  length?: number;
}

/** Sends a body without copying the file into memory. Returns the response of status 200. */
async function post(url: string, { headers, file, body: [head, tail], length }: Post) {
  const sent = request(url, {
    agent: AGENT,
    method: 'POST',
    headers: { ...headers, 'Content-Length': length ?? Buffer.byteLength(head + tail) },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  sent.write(head);
  if (file !== undefined) await pipeline(createReadStream(file), sent, { end: false });
  sent.end(tail);
  const response = await answered;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${await text(response)}`);
  return response;
}

interface TwinProviders {
  llmUrl: string;
  sttUrl: string;
}

export function createTwinActivities(store: TwinStore, { llmUrl, sttUrl }: TwinProviders) {
  async function whileAlive<T>(run: () => Promise<T>): Promise<T> {
    const timer = setInterval(heartbeat, HEARTBEAT_MS);
    return run().finally(() => clearInterval(timer));
  }

  return {
    transcribe: (id: string) =>
      whileAlive(async () => {
        const { audio } = await store.run('begin', id, 'transcribing');
        const { path, bytes, name } = audio as unknown as { path: string; bytes: number; name: string };
        await store.run('openCall', id, 'transcription');
        const boundary = randomUUID();
        const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
        const head = `${part('name="model"')}\r\nwhisper-1\r\n${part('name="response_format"')}\r\nverbose_json\r\n${part(`name="file"; filename="${name}"`)}Content-Type: audio/mpeg\r\n\r\n`;
        const tail = `\r\n--${boundary}--\r\n`;
        const answer = await post(`${sttUrl}/audio/transcriptions`, {
          headers: { Authorization: 'Bearer twin', 'Content-Type': `multipart/form-data; boundary=${boundary}` },
          file: path,
          body: [head, tail],
          length: Buffer.byteLength(head + tail) + bytes,
        });
        await store.run('storeTranscript', id, JSON.stringify(await json(answer)), 'transcription');
      }),

    analyze: (id: string) =>
      whileAlive(async (): Promise<string | null> => {
        const { prompt = '', conversation, transcript } = await store.run('begin', id, 'analyzing');
        await store.run('openCall', id, 'analysis');
        const messages = [
          { role: 'system', content: `Summarize. ${prompt}` },
          { role: 'user', content: JSON.stringify(conversation ?? transcript) },
        ];
        const answer = await post(`${llmUrl}/chat/completions`, {
          headers: { Authorization: 'Bearer twin', 'Content-Type': 'application/json' },
          body: [JSON.stringify({ model: 'gpt-6-luna', messages }), ''],
        });
        const { delivery } = await store.run('finish', id, JSON.stringify(await json(answer)), 'analysis');
        return delivery ?? null;
      }),

    async deliver(id: string): Promise<void> {
      const { url = '', payload = '' } = await store.run('openAttempt', id);
      const signature = createHmac('sha256', 'secret').update(payload).digest('base64');
      const headers = { 'Content-Type': 'application/json', 'webhook-signature': signature };
      const answer = await post(url, { headers, body: [payload, ''] });
      await text(answer);
      await store.run('closeAttempt', id, answer.statusCode);
    },
  };
}

export type TwinActivities = ReturnType<typeof createTwinActivities>;
