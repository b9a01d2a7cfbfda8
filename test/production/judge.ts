/** Compares what clients, the database, the webhook receiver and the providers report about the sessions of a phase. */
import type pg from 'pg';
import type { ReceivedRequest } from '../support/receiver.ts';
import type { Submission } from './load.ts';

export interface Findings {
  accepted: number;
  completed: number;
  /** Accepted sessions that were not both completed and posted. */
  lost: number;
  /** Sessions beyond one per submission. */
  createdTwice: number;
  /** Successful provider calls beyond those that the sessions needed; null if not checked. */
  paidTwice: number | null;
  /** Webhook posts beyond one per session. */
  postedTwice: number;
  /** Repeated posts after an attempt whose worker died. Whether that attempt succeeded is unknown, and its record says so. */
  repeatedPosts: number;
  /** Submissions with a final error. */
  refused: number;
  /** Responses that requested a retry, and connections without a response. */
  repeats: number;
  acceptP99S: number;
  slowestS: number;
}

export interface Evidence {
  submissions: readonly Submission[];
  sessions: readonly SessionRow[];
  posts: readonly ReceivedRequest[];
  /** Number of successful provider calls; null if not to be checked. */
  paidCalls: number | null;
}

export interface SessionRow {
  id: string;
  type: 'text' | 'voice';
  status: string;
  took_s: number | null;
  /** Number of webhook attempts whose worker died. */
  lost_attempts: number;
}

/** Returns the sessions that were created since then. */
export async function readSessions(database: pg.Pool, since: Date): Promise<SessionRow[]> {
  const { rows } = await database.query<SessionRow>(
    `select id, type, status, extract(epoch from completed_at - created_at)::float as took_s,
       (select count(*)::int from deliveries join delivery_attempts on delivery_id = deliveries.id
        where session_id = sessions.id and failure = 'worker_lost') as lost_attempts
     from sessions where created_at >= $1`,
    [since],
  );
  return rows;
}

/** Provider calls that a session needs: one analysis, and for voice a transcription before it. */
const CALLS = { text: 1, voice: 2 };

export function judge({ submissions, sessions, posts, paidCalls }: Evidence): Findings {
  const accepted = submissions.filter(({ sessionId }) => sessionId !== undefined);
  const acceptedIds = new Set(accepted.map(({ sessionId }) => sessionId));
  const rows = new Map(sessions.map((row) => [row.id, row]));
  const postsOf = countPosts(posts);
  const isDone = (id: string | undefined) =>
    id !== undefined && rows.get(id)?.status === 'completed' && (postsOf.get(id) ?? 0) > 0;
  const extraPosts = sessions.map(({ id, lost_attempts }) => {
    const extra = Math.max(0, (postsOf.get(id) ?? 0) - 1);
    const repeated = Math.min(extra, lost_attempts);
    return { repeated, twice: extra - repeated };
  });
  const acceptTimes = accepted.map(({ acceptMs }) => acceptMs).sort((a, b) => a - b);
  return {
    accepted: accepted.length,
    completed: sessions.filter(({ status }) => status === 'completed').length,
    lost: accepted.filter(({ sessionId }) => !isDone(sessionId)).length,
    createdTwice: sessions.filter(({ id }) => !acceptedIds.has(id)).length + (accepted.length - acceptedIds.size),
    paidTwice: paidCalls === null ? null : paidCalls - sum(sessions.map(({ type }) => CALLS[type])),
    postedTwice: sum(extraPosts.map(({ twice }) => twice)),
    repeatedPosts: sum(extraPosts.map(({ repeated }) => repeated)),
    refused: submissions.length - accepted.length,
    repeats: sum(submissions.map((submission) => submission.repeats.length)),
    acceptP99S: (acceptTimes[Math.floor(acceptTimes.length * 0.99)] ?? 0) / 1_000,
    slowestS: Math.max(0, ...sessions.map(({ took_s }) => took_s ?? 0)),
  };
}

/** Returns whether a session was lost, created twice, posted twice or refused, which must never happen. */
export const isBroken = ({ lost, createdTwice, postedTwice, refused }: Findings) =>
  lost + createdTwice + postedTwice + refused > 0;

/** Returns the ID of the posted session. */
export const sessionOf = ({ body }: ReceivedRequest) =>
  (JSON.parse(body.toString()) as { session_id: string }).session_id;

/** Returns how often each session was posted. */
function countPosts(posts: readonly ReceivedRequest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of posts.map(sessionOf)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
