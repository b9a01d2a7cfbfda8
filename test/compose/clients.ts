/** Clients that use the service while it is changed, and report every request that was not served. */
import { once } from 'node:events';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '../../contract/values/constants.ts';
import { startLoad } from './load.ts';
import { openEventStream } from '../support/event-stream.ts';
import { form, FORM_TYPE } from '../support/multipart.ts';
import { call, type Installation } from './installation.ts';
import { SAMPLE } from './outside.ts';

const UPLOAD_S = 60;
const READ_MS = 500;

/**
 * Submits conversations while `change` runs, and waits until each is completed and delivered. Clients repeat failed requests, as
 * programs do.
 */
export async function underLoad(
  installation: Installation,
  change: () => Promise<void>,
  perSecond = 2,
): Promise<string> {
  const { url, user, outside, done } = installation;
  const before = await countTexts(installation);
  const load = startLoad(url, user, perSecond);
  let submissions;
  try {
    await change();
  } finally {
    submissions = await load.stop();
  }
  const refused = submissions.filter(({ sessionId }) => sessionId === undefined);
  if (refused.length > 0) throw new Error(`${refused.length} submissions were refused: ${JSON.stringify(refused[0])}`);
  const ids = submissions.flatMap(({ sessionId }) => sessionId ?? []);
  await outside.untilDelivered(ids);
  const created = (await countTexts(installation)) - before;
  const texts = submissions.filter(({ kind }) => kind === 'text').length;
  if (created !== texts) throw new Error(`${texts} submissions of texts created ${created} sessions`);
  done.push(...ids);
  const repeats = submissions.reduce((sum, { repeats: each }) => sum + each.length, 0);
  return `${ids.length} of ${ids.length} completed and delivered, ${repeats} requests repeated, ${outside.countRepeated(ids)} webhooks repeated`;
}

/** Only texts, because other clients upload recordings meanwhile. */
const countTexts = async ({ url, user }: Installation) =>
  Number(
    (await call(url, user.authorization, 'GET', `/v1/counts/sessions?assistant_id=${user.textAssistant}`))['total'],
  );

/** What clients that do not repeat requests saw. */
interface Seen {
  reads: number;
  uploads: number;
  streams: number;
  slowestMs: number;
  faults: string[];
}

/** Reads twice a second, uploads for a minute at a time, and keeps an event stream open, while `change` runs. */
export async function whileClientsWatch({ url, user }: Installation, change: () => Promise<unknown>): Promise<string> {
  const seen: Seen = { reads: 0, uploads: 0, streams: 0, slowestMs: 0, faults: [] };
  const ended = new AbortController();
  const headers = { Authorization: user.authorization };
  const repeatedly = async (pauseMs: number, action: () => Promise<unknown>) => {
    while (!ended.signal.aborted) {
      const started = Date.now();
      await action().catch((error: unknown) => seen.faults.push(describe(error)));
      await sleep(Math.max(0, pauseMs - (Date.now() - started)), undefined, { signal: ended.signal }).catch(
        () => undefined,
      );
    }
  };
  const read = async () => {
    const started = Date.now();
    const { status } = await fetch(`${url}${API_BASE}/v1/sessions?limit=1`, { headers });
    seen.reads += 1;
    seen.slowestMs = Math.max(seen.slowestMs, Date.now() - started);
    if (status !== 200) seen.faults.push(`a read got ${status}`);
  };
  const stream = async () => {
    const opened = await openEventStream({ url }, headers);
    seen.streams += 1;
    if (opened.status !== 200) seen.faults.push(`an event stream got ${opened.status}`);
    while (!opened.isOver() && !ended.signal.aborted) await sleep(100);
    opened.close();
  };
  const uploads: Promise<unknown>[] = [];
  const startUpload = () => {
    uploads.push(
      uploadSlowly(url, user.authorization, user.voiceAssistant).then(
        (status) => {
          seen.uploads += 1;
          if (status >= 300) seen.faults.push(`an upload got ${status}`);
        },
        (error: unknown) => seen.faults.push(`an upload: ${describe(error)}`),
      ),
    );
    return Promise.resolve();
  };
  const clients = [repeatedly(READ_MS, read), repeatedly(READ_MS, stream), repeatedly(5_000, startUpload)];
  try {
    await change();
  } finally {
    ended.abort();
    await Promise.all([...clients, ...uploads]);
  }
  if (seen.faults.length > 0)
    throw new Error(`${seen.faults.length} requests failed: ${seen.faults.slice(0, 5).join('; ')}`);
  return `0 of ${seen.reads} reads (slowest ${seen.slowestMs} ms), of ${seen.uploads} uploads of a minute and of ${seen.streams} event streams failed`;
}

const describe = (error: unknown) => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** Uploads a recording in small steps. Returns the status of the response. */
async function uploadSlowly(url: string, authorization: string, assistantId: string): Promise<number> {
  const file = { name: 'audio_file', value: SAMPLE, filename: 'call.mp3', type: 'audio/mpeg' };
  const body = form([{ name: 'assistant_id', value: assistantId }, file]);
  const sent = request(`${url}${API_BASE}/v1/requests/voice`, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: authorization,
      'Content-Type': FORM_TYPE,
      'Content-Length': body.length,
      Prefer: 'respond-async',
    },
  });
  const answered = once(sent, 'response') as Promise<[{ statusCode?: number; resume(): void }]>;
  answered.catch(() => undefined); // reported below
  const step = Math.ceil(body.length / UPLOAD_S);
  for (let start = 0; start < body.length && !sent.destroyed; start += step) {
    sent.write(body.subarray(start, start + step));
    await sleep(1_000);
  }
  sent.end();
  const [response] = await answered;
  response.resume();
  return response.statusCode ?? 0;
}
