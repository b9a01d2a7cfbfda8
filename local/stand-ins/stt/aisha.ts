/** The wire format of Aisha: short audio is transcribed immediately, long audio by a job. */
import { randomUUID } from 'node:crypto';
import { Refusal, type Dialect } from '../dialect.ts';
import { durationOf, TEXT, TURNS } from '../dialogue.ts';
import { uploadDialect } from '../stt-dialects.ts';

const MAX_SYNC_S = 120;

interface Job {
  finishesAt: number;
  result: object;
}

/** Returns the dialects of Aisha, which share the jobs. */
export function createDialects(): readonly Dialect[] {
  const jobs = new Map<number, Job>();
  // Job IDs start at the current time, so a restarted stand-in does not reuse them.
  let nextId = Math.floor(Date.now() / 1_000);

  const common = { provider: 'aisha', fileField: 'audio', error } as const;

  const now = uploadDialect({
    ...common,
    path: /^\/aisha\/api\/v1\/stt\/post\/$/,
    answer(fields, directive) {
      const duration = durationOf(directive);
      if (duration > MAX_SYNC_S) throw new Refusal(403, 'audio_duration_use_v2');
      return { id: nextId++, ...resultOf(fields, duration) };
    },
  });

  const submit = uploadDialect({
    ...common,
    path: /^\/aisha\/api\/v2\/stt\/post\/$/,
    answer(fields, directive) {
      const id = nextId++;
      const { job_ms = 0 } = directive;
      jobs.set(id, { finishesAt: Date.now() + job_ms, result: resultOf(fields, durationOf(directive)) });
      return { id, task_id: randomUUID(), status: 'PENDING' };
    },
  });

  const poll: Dialect = {
    provider: 'aisha',
    method: 'GET',
    path: /^\/aisha\/api\/v2\/stt\/get\/\d+\/$/,
    async read(_request, path) {
      const id = Number(path.split('/').at(-2));
      return { text: '', fields: {}, fileBytes: null, answer: () => jobAnswer(id, jobs.get(id)) };
    },
    error,
  };

  return [now, submit, poll];
}

function jobAnswer(id: number, job: Job | undefined): object {
  if (!job) throw new Refusal(404, 'Not found.');
  if (Date.now() < job.finishesAt) return { id, status: 'PENDING', transcript: null };
  return { id, status: 'SUCCESS', ...job.result };
}

const resultOf = ({ language = 'uz', has_diarization }: Record<string, string>, duration: number) => ({
  transcript: TEXT,
  language,
  duration,
  ...(has_diarization === 'true' && {
    diarization: TURNS.map(({ speaker, text, start_s: start, end_s: end }) => ({
      speaker: `SPEAKER_0${speaker}`,
      text,
      start,
      end,
    })),
  }),
});

function error(_status: number, message: string): unknown {
  return { detail: message };
}
