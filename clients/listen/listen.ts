/** Follows the deliveries of a workspace and sends each to a local URL. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  createClient,
  getDelivery,
  listDeliveries,
  paginate,
  type DeliveryDetail,
  type DeliveryListItem,
} from 'conversation-analysis-client';
import { Webhook } from 'standardwebhooks';

interface ListenOptions {
  /** URL of the API. */
  api: string;
  token: string;
  /** Secret of the assistant's webhook; undefined: forward the original signature. */
  secret: string | undefined;
  /** URL that receives the webhooks. */
  forward: string;
  assistant: string | undefined;
  /** Default: now. */
  since: string | undefined;
  print(line: string): void;
  signal: AbortSignal;
}

const RECONNECT_MS = 2_000;
const RESPONSE_TIMEOUT_MS = 10_000;

/** A delivery that was created earlier than another may become visible after it. */
const OVERLAP_MS = 60_000;

/** Forwards deliveries until the signal. Throws `ApiError` if the service refuses the token or the options. */
export async function listen(options: ListenOptions): Promise<void> {
  const { api, token, assistant, signal, forward, print } = options;
  const client = createClient({ baseUrl: api, auth: () => token, maxRetries: 0 });
  const seen = new Set<string>();
  let start = options.since === undefined ? undefined : Date.parse(options.since);
  let since = start;
  let isFirst = true;
  let isLost = false;

  /** Forwards the deliveries that were not forwarded, oldest first. The service has sent those that have an attempt. */
  async function catchUp(): Promise<void> {
    const created_after = new Date(since ?? 0).toISOString();
    const query = { created_after, limit: 200, ...(assistant !== undefined && { assistant_id: assistant }) };
    const found: DeliveryListItem[] = [];
    for await (const each of paginate(listDeliveries, { client, signal, query })) found.push(each);
    // Without a time, deliveries that exist at the start are not forwarded. The time of the start has a resolution of a second.
    if (isFirst && options.since === undefined) for (const { delivery_id } of found) seen.add(delivery_id);
    for (const { delivery_id } of found.filter((each) => each.attempt_count > 0).reverse()) {
      if (seen.has(delivery_id)) continue;
      const { data: delivery } = await getDelivery({ client, signal, path: { id: delivery_id } });
      seen.add(delivery_id);
      print(await post(delivery, options));
    }
    const [newest] = found;
    const waiting = found.filter((each) => each.status === 'pending' && each.attempt_count === 0);
    const times = waiting.map(({ created_at }) => Date.parse(created_at));
    if (newest) since = Math.max(start ?? 0, Math.min(Date.parse(newest.created_at) - OVERLAP_MS, ...times));
  }

  async function follow(): Promise<void> {
    const events = await fetch(`${api}/v1/events`, { headers: { Authorization: `Bearer ${token}` }, signal });
    if (!events.ok) throw new ApiError(await events.json().catch(() => undefined), events);
    start ??= Date.parse(events.headers.get('Date') ?? new Date().toISOString());
    since ??= start;
    if (isFirst && options.since === undefined) await catchUp();
    if (isFirst) print(`Forwarding the webhooks of the workspace to ${forward}. Press Ctrl-C to stop.`);
    else if (isLost) print('Connected again.');
    isFirst = false;
    isLost = false;
    await catchUp();
    const text = events.body?.pipeThrough(new TextDecoderStream()) ?? [];
    for await (const chunk of text) if (/^event: (delivery|refetch)$/m.test(chunk)) await catchUp();
  }

  for (; !signal.aborted; await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)) {
    try {
      await follow();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status !== 429 && error.status < 500) throw error;
    }
    if (!isLost) print(`The connection to ${api} is lost. Connecting again …`);
    isLost = true;
  }
}

/** Sends a delivery to the local URL. Returns a line about the outcome. */
async function post(delivery: DeliveryDetail, { forward, secret, signal }: ListenOptions): Promise<string> {
  const { event, session_id, delivery_id, payload } = delivery;
  const name = `${event} ${session_id ?? ''} (${delivery_id})`;
  const init = { method: 'POST', body: payload, headers: headersOf(delivery, secret), redirect: 'manual' } as const;
  try {
    const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(forward, { ...init, signal: AbortSignal.any([signal, timeout]) });
    await response.body?.cancel();
    return `${name}: HTTP ${response.status}`;
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    return `${name}: no response from ${forward} (${(cause as Error).message}). Redeliver it to get it again.`;
  }
}

/** Returns the headers of the latest attempt, signed again if the secret is known. */
function headersOf({ attempts, delivery_id, payload }: DeliveryDetail, secret: string | undefined): Headers {
  const headers = new Headers(attempts.at(-1)?.request_headers);
  if (secret === undefined) headers.delete('Authorization'); // it is masked
  else if (headers.has('Authorization')) headers.set('Authorization', `Bearer ${secret}`);
  if (secret === undefined || !headers.has('webhook-signature')) return headers;
  const now = new Date();
  headers.set('webhook-timestamp', String(Math.floor(now.getTime() / 1_000)));
  headers.set('webhook-signature', new Webhook(secret, { format: 'raw' }).sign(delivery_id, now, payload));
  return headers;
}
