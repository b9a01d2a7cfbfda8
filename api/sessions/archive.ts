/** ZIP archives of sessions with their recordings. Each file is read when the client is ready for it. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { makeZip } from 'client-zip';
import type { Model, QueryBuilder } from 'objection';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SecondOpinionModel } from '../../db/models/second-opinion.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { inBatches } from '../../db/page.ts';
import { AudioMissingError } from '../../runtime/audio/store.ts';
import type { ApiDeps } from '../deps.ts';
import { presentProviderCall } from '../runs/present.ts';
import { presentReview } from '../reviews/change-review.ts';
import { presentSecondOpinion } from '../reviews/second-opinions.ts';
import { showSession } from '../runs/read-session.ts';

type ArchiveDeps = Pick<ApiDeps, 'audio' | 'config'>;

export interface ArchivedFile {
  name: string;
  input: string | AsyncIterable<string | Uint8Array>;
}

/** Returns the headers of a download, which is named with the present day. */
export const downloadHeaders = (mediaType: string, name: string, extension: string) => ({
  'Content-Type': mediaType,
  'Content-Disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.${extension}"`,
});

/** Returns a new query at each call. */
type SelectSessions = () => QueryBuilder<SessionModel, SessionModel[]>;

export const toArchive = (files: AsyncIterable<ArchivedFile>) => Readable.fromWeb(makeZip(files) as ReadableStream);

/**
 * Yields the sessions with everything that the API shows of them, and their recordings.
 * @param messages what providers said about failed calls: only for a person's own data.
 */
export async function* sessionFiles(
  deps: ArchiveDeps,
  select: SelectSessions,
  { signal, messages = false }: { signal: AbortSignal; messages?: boolean },
): AsyncGenerator<ArchivedFile> {
  yield toFile(
    'sessions',
    () => select().select('sessions.*'),
    async (row) => {
      const { error, ...session } = await showSession(deps, row);
      const review = session.review && (await findReview(row.id));
      const second_opinion = session.review && (await findSecondOpinion(row.id));
      const calls = await findCalls(row.id, messages);
      return { ...session, error: messages ? error : row.error, review, second_opinion, calls };
    },
  );
  yield* recordings(deps, select, signal);
}

/** Returns a line of JSON without the characters at which some readers end a line. */
export const toJsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(/[\u0085\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

/** Returns a file with one line of JSON for each row. Reads one row at a time, because a session can have megabytes. */
export function toFile<M extends Model & { id: string }>(
  name: string,
  select: () => QueryBuilder<M, M[]>,
  present: (row: M) => unknown,
): ArchivedFile {
  async function* lines() {
    for await (const row of inBatches(select, 1)) yield toJsonLine(await present(row));
  }
  return { name: `${name}.jsonl`, input: lines() };
}

const findReview = async (id: string) => presentReview(id, await SessionReviewModel.query().findById(id));

const findSecondOpinion = async (id: string) => presentSecondOpinion(id, await SecondOpinionModel.query().findById(id));

async function findCalls(session_id: string, messages: boolean) {
  const calls = await ProviderCallModel.query().where({ session_id }).orderBy('started_at');
  return calls.map((row) => {
    const { usage, cost_usd, error, provider_message } = row;
    return { ...presentProviderCall(row), usage, cost_usd, error, ...(messages && { provider_message }) };
  });
}

async function* recordings(
  { audio }: ArchiveDeps,
  select: SelectSessions,
  signal: AbortSignal,
): AsyncGenerator<ArchivedFile> {
  const recorded = inBatches(() => select().select('sessions.id', 'audio').whereNotNull('audio'));
  for await (const { id, audio: stored } of recorded) {
    if (stored === null) continue;
    try {
      const extension = /\.\w+$/.exec(stored.file_name)?.[0] ?? '';
      yield { name: `recordings/${id}${extension}`, input: await audio.open(stored.key, { signal }) };
    } catch (error) {
      // The recording was removed after its row was read.
      if (!(error instanceof AudioMissingError)) throw error;
    }
  }
}
