/** One workspace queues thousands of sessions while another one submits requests and waits for their results. */
import { repeat } from '../../bench/load.ts';
import type { Installation } from './installation.ts';
import { judge, readSessions } from './judge.ts';
import { submit, type LoadUser, type Request, type Submission } from './load.ts';
import { untilDone, type Phase, type PhaseOptions } from './run-phase.ts';

const QUEUED = 2_000;
const QUEUED_AT_ONCE = 20;
/** Number of simultaneous requests by the other workspace. */
const REQUESTS = 20;
const MAX_RATIO = 2;

/** Reports if the other workspace's p95 is more than twice that with an empty queue. Other work on the machine can cause this too. */
export async function fillQueue(installation: Installation, { users, say }: PhaseOptions): Promise<Phase> {
  const { proxy, providers, receiver, database } = installation;
  const [first, other] = users as [LoadUser, LoadUser];
  const began = new Date();
  const [firstPost, paidBefore] = [receiver.requests.length, providers.successes()];
  const sendBy = (user: LoadUser, waits: boolean, count: number, atOnce: number) =>
    repeat(count, atOnce, () => submit(proxy.url, user, { kind: 'text', waits } satisfies Request));

  const alone = await sendBy(other, true, REQUESTS, REQUESTS);
  const queued = await sendBy(first, false, QUEUED, QUEUED_AT_ONCE);
  const beside = await sendBy(other, true, REQUESTS, REQUESTS);
  const recoveryS = await untilDone(database, new Date());
  const ratio = p95(beside) / p95(alone);
  if (ratio > MAX_RATIO)
    say(`  beside a full queue, requests took ${ratio.toFixed(1)} times as long (expected: ${MAX_RATIO})`);
  const findings = judge({
    submissions: [...alone, ...queued, ...beside],
    sessions: await readSessions(database, began),
    posts: receiver.requests.slice(firstPost),
    paidCalls: providers.successes() - paidBefore,
  });
  const title = `${QUEUED} queued sessions of one workspace; another's requests take ${ratio.toFixed(1)} times as long`;
  return { title, ...findings, recoveryS };
}

const p95 = (submissions: readonly Submission[]) =>
  submissions.map(({ acceptMs }) => acceptMs).sort((a, b) => a - b)[Math.floor(submissions.length * 0.95)] as number;
