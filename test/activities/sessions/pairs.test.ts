import type { SessionModel } from '../../../db/models/session.ts';
import { useStarted } from '../../support/use-started.ts';
import { accept, createWorker, NAME, newSession, refuse, reset, startDoubles } from './pairs.ts';
import type { Attempt, NewSession, Provider, Worker, WorkerOptions } from './pairs.ts';

/** All of these meet in the transcription of a recording, so every pair can occur. */
const MECHANISMS = [
  'fallback',
  'circuit',
  'slots',
  'budget',
  'job',
  'redaction',
  'shutdown',
  'cancellation',
  'database outage',
];

/** `see` runs a session of another workspace in the same worker. */
type Step = (worker: Worker, session: SessionModel, see: (provider?: Provider) => Promise<unknown>) => unknown;

interface Pair {
  it: string;
  worker?: WorkerOptions;
  session?: NewSession;
  /** One after another. Default: one attempt. The other workspace follows at the end, unless a step is `seen`. */
  steps?: Step[];
  ends?: Partial<typeof DONE>;
}

/** The defaults. The analysis does not run. */
const DONE = {
  /** Of the attempts of the step. */
  outcomes: 'transcribed',
  /** Provider and status of each row. */
  ledger: 'aisha succeeded',
  /** Recordings that providers accepted. */
  paid: 'aisha',
  status: 'transcribing',
  /** By the session of the other workspace, whose provider works. */
  seen: 'transcribed',
};

const FALLBACK = { ledger: 'aisha failed, whisper succeeded', paid: 'whisper' };
const CANCELED = { outcomes: 'canceled', ledger: 'aisha failed', paid: '', status: 'canceled' };
const RESUMED = { outcomes: 'worker_shutdown, transcribed' };
/** The interrupted call keeps its row. */
const REPEATED = { ...RESUMED, ledger: 'aisha failed, aisha succeeded' };
const OVER_BUDGET = { outcomes: 'budget_exceeded', ledger: '', paid: '', status: 'failed' };

/** One call uses the share of a workspace. */
const TWO = { slots: 2 };
/** Each call tests an open circuit. */
const TESTED = { pauseMs: 0 };
/** The polls of a job end early. */
const SHORT = { timeoutMs: 500 };

describe('Two mechanisms in one transcription', () => {
  const doubles = useStarted(startDoubles);
  beforeEach(() => (doubles.recognizer.play = accept));

  /** Answers while the database is away, and ends the outage when the worker has met it. */
  async function inOutage(answer: () => void, then: () => void = () => undefined) {
    const outage = await doubles.breakDatabase();
    answer();
    await outage.met;
    then();
    await outage.end();
  }

  const attempt: Step = (worker, session) => worker.attempt(session);
  const openCircuit: Step = (worker) => worker.openCircuit();
  const closeCircuit: Step = (worker) => worker.closeCircuit();
  const seen: Step = (_worker, _session, see) => see();
  const seenBy =
    (provider: Provider): Step =>
    (_worker, _session, see) =>
      see(provider);
  const aisha =
    (play: typeof accept, kind?: 'poll'): Step =>
    (_worker, session) =>
      doubles.on('aisha', session, play, kind);

  /** Another session of the workspace ends so. */
  const sibling =
    (outcome: string): Step =>
    async (worker, session) => {
      expect(await worker.start(await newSession({ sibling: session })).ended).to.equal(outcome);
    };

  /** Runs the session until the provider has its request, and interrupts the attempt after these steps. */
  const interrupted =
    (
      by: 'shutDown' | 'cancel' | 'cancelInShutdown',
      { provider = 'aisha', kind, during = [] }: { provider?: Provider; kind?: 'poll'; during?: Step[] } = {},
    ): Step =>
    async (worker, session, see) => {
      const held = await worker.startHeld(provider, session, kind);
      for (const step of during) await step(worker, session, see);
      held[by]();
      await held.ended;
    };
  const poll = { kind: 'poll' as const };

  /** Does the steps while a call of another session of the workspace holds its slot and its reservation. */
  const whileHeld =
    (steps: Step[], provider: Provider = 'aisha'): Step =>
    async (worker, session, see) => {
      const held = await worker.startHeld(provider, await newSession({ provider, sibling: session }));
      for (const step of steps) await step(worker, session, see);
      held.answer();
      await held.ended;
    };

  /** The provider answers while the database is away. */
  const answeredInOutage =
    (by?: 'shutDown' | 'cancel'): Step =>
    async (worker, session) => {
      const held = await worker.startHeld('aisha', session);
      await inOutage(held.answer, by && held[by]);
      await held.ended;
    };

  /** Applies `play` to the requests whose text contains this: a name for the transcript, or the greeting of the check before the call. */
  const onNames = (part: string, play: typeof accept) => {
    doubles.recognizer.play = (response, send, text) => (text.includes(part) ? play : accept)(response, send);
  };
  const namesFail =
    (part: string): Step =>
    () =>
      onNames(part, (response) => response.writeHead(500).end());
  const namesWork: Step = () => void (doubles.recognizer.play = accept);

  /** Runs the session until the recognizer has the text, does `then`, which lets it respond by `answer`, and waits for the end. */
  const namedThen =
    (part: string, then: (named: Attempt & { answer: () => void }, ...rest: Parameters<Step>) => unknown): Step =>
    async (...rest) => {
      const { promise, resolve } = Promise.withResolvers<() => void>();
      onNames(part, (_response, send) => resolve(send));
      const started = rest[0].start(rest[1]);
      await then({ ...started, answer: await promise }, ...rest);
      await started.ended;
    };
  const namedInOutage = (part: string) => namedThen(part, (named) => inOutage(named.answer));

  const PAIRS: Pair[] = [
    {
      it: 'fallback, circuit: the fallback is used at once; a workspace without one makes no call',
      session: { fallback: true },
      steps: [openCircuit, attempt],
      ends: { ledger: 'whisper succeeded', paid: 'whisper', seen: 'unavailable' },
    },
    {
      it: 'fallback, slots: the step waits for a slot of the fallback without a row for it; other workspaces have one',
      worker: TWO,
      session: { fallback: true },
      steps: [aisha(refuse), whileHeld([attempt, seenBy('whisper')], 'whisper'), attempt],
      ends: {
        outcomes: 'no_slot, transcribed',
        ledger: 'aisha failed, aisha failed, whisper succeeded',
        paid: 'whisper',
      },
    },
    {
      it: 'fallback, budget: the fallback has its own check, in which a call that may be billed counts',
      session: { fallback: true, budget: 1 },
      steps: [aisha(reset), attempt],
      ends: { ...OVER_BUDGET, ledger: 'aisha failed' },
    },
    {
      it: 'fallback, job: the job keeps its row and its estimate; the fallback has a row of its own',
      worker: SHORT,
      session: { fallback: true, job: true, budget: 2 },
      steps: [aisha(refuse, 'poll'), attempt, sibling('budget_exceeded')],
      ends: { ledger: 'aisha lost, whisper succeeded', paid: 'aisha, whisper' },
    },
    {
      it: "fallback, redaction: the fallback's transcript is redacted",
      session: { fallback: true, redaction: true },
      steps: [aisha(refuse), attempt],
      ends: FALLBACK,
    },
    {
      it: "fallback, shutdown: the next worker repeats the fallback's interrupted call",
      session: { fallback: true },
      steps: [aisha(refuse), interrupted('shutDown', { provider: 'whisper' }), attempt],
      ends: { ...RESUMED, ledger: 'aisha failed, whisper failed, aisha failed, whisper succeeded', paid: 'whisper' },
    },
    {
      it: 'fallback, cancellation: a canceled session does not call the fallback',
      session: { fallback: true },
      steps: [interrupted('cancel')],
      ends: CANCELED,
    },
    {
      it: "fallback, database outage: the failed call's row is closed after the outage, then the fallback is used",
      session: { fallback: true },
      steps: [aisha((response, send) => inOutage(() => refuse(response, send))), attempt],
      ends: FALLBACK,
    },
    {
      it: 'circuit, slots: the fallback is used although calls that hang hold the slots',
      worker: TWO,
      session: { fallback: true },
      steps: [whileHeld([openCircuit, attempt, seen])],
      ends: { ledger: 'whisper succeeded', paid: 'whisper', seen: 'unavailable' },
    },
    {
      it: 'circuit, budget: a test call over budget does not keep the circuit open for others',
      worker: TESTED,
      session: { budget: 0 },
      steps: [openCircuit, attempt],
      ends: OVER_BUDGET,
    },
    {
      it: 'circuit, job: the job is kept while the circuit is open, then its result is read',
      worker: SHORT,
      session: { job: true },
      steps: [aisha(refuse, 'poll'), attempt, openCircuit, aisha(accept, 'poll'), attempt, closeCircuit, attempt],
      ends: { outcomes: 'unavailable, unavailable, transcribed' },
    },
    {
      it: 'circuit, redaction: failures of the recognizer do not open the circuit',
      session: { redaction: true },
      steps: [namesFail('Hello'), ...Array<Step>(5).fill(attempt), seen, namesWork, attempt],
      ends: { outcomes: `${'unavailable, '.repeat(5)}transcribed` },
    },
    {
      it: 'circuit, shutdown: the next session tests the provider after an interrupted test',
      worker: TESTED,
      steps: [openCircuit, interrupted('shutDown', { during: [sibling('unavailable')] }), seen, attempt],
      ends: REPEATED,
    },
    {
      it: 'circuit, cancellation: the next session tests the provider after a canceled test',
      worker: TESTED,
      steps: [openCircuit, interrupted('cancel')],
      ends: CANCELED,
    },
    {
      it: 'circuit, database outage: the next session tests the provider if the row of a test cannot be stored',
      worker: TESTED,
      session: { redaction: true },
      steps: [openCircuit, namedInOutage('Hello'), namesWork, seen, attempt],
      ends: { outcomes: 'no database, transcribed' },
    },
    {
      it: 'slots, budget: steps that wait for the budget hold no slot',
      worker: { slots: 3 },
      session: { budget: 1 },
      steps: [whileHeld([attempt, attempt, attempt, seen]), attempt],
      ends: { ...OVER_BUDGET, outcomes: `${'budget_reserved, '.repeat(3)}budget_exceeded` },
    },
    {
      it: 'slots, job: a job waits for a slot with its row, and is not submitted again',
      worker: TWO,
      session: { job: true },
      steps: [interrupted('shutDown', poll), whileHeld([attempt, seen]), attempt],
      ends: { outcomes: 'worker_shutdown, no_slot, transcribed' },
    },
    {
      it: 'slots, redaction: a recognizer that hangs before the call holds no slot',
      worker: TWO,
      session: { redaction: true },
      steps: [
        namedThen('Hello', async (named, ...rest) => {
          await sibling('transcribed')(...rest);
          await seen(...rest);
          named.answer();
        }),
      ],
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it: `slots, ${by === 'shutDown' ? 'shutdown' : 'cancellation'}: the interrupted step frees its slot`,
      worker: TWO,
      steps: [interrupted(by, { during: [sibling('no_slot')] }), sibling('transcribed')],
      ends: by === 'cancel' ? CANCELED : { outcomes: 'worker_shutdown', ledger: 'aisha failed', paid: '' },
    })),
    {
      it: 'slots, database outage: the step stores what was paid for, then frees its slot',
      worker: TWO,
      steps: [answeredInOutage(), sibling('transcribed')],
    },
    {
      it: 'budget, job: a job reserves its estimate once, until its result is read',
      session: { job: true, budget: 1 },
      steps: [interrupted('shutDown', poll), sibling('budget_reserved'), attempt, sibling('budget_exceeded')],
      ends: RESUMED,
    },
    {
      it: 'budget, redaction: a transcript that cannot be redacted counts',
      session: { redaction: true, budget: 1 },
      steps: [namesFail(NAME), attempt, sibling('budget_exceeded')],
      ends: { outcomes: 'internal', status: 'failed' },
    },
    {
      it: 'budget, shutdown: an interrupted call counts, because it may be billed',
      session: { budget: 2 },
      steps: [interrupted('shutDown'), attempt, sibling('budget_exceeded')],
      ends: REPEATED,
    },
    {
      it: 'budget, cancellation: a canceled call counts, because it may be billed',
      session: { budget: 1 },
      steps: [interrupted('cancel'), sibling('budget_exceeded')],
      ends: CANCELED,
    },
    {
      it: 'budget, database outage: the reservation becomes the cost once',
      session: { budget: 2 },
      steps: [answeredInOutage(), sibling('transcribed'), sibling('budget_exceeded')],
    },
    {
      it: 'job, redaction: a result that cannot be redacted ends the session, and the job is paid once',
      session: { job: true, redaction: true },
      steps: [namesFail(NAME), attempt],
      ends: { outcomes: 'internal', status: 'failed' },
    },
    {
      it: 'job, shutdown: the next worker reads the result of the same job',
      session: { job: true },
      steps: [interrupted('shutDown', poll), attempt],
      ends: RESUMED,
    },
    {
      it: 'job, cancellation: the job stays in the ledger, and its estimate counts',
      session: { job: true, budget: 1 },
      steps: [interrupted('cancel', poll), sibling('budget_exceeded')],
      ends: { outcomes: 'canceled', ledger: 'aisha lost', status: 'canceled' },
    },
    {
      it: 'job, database outage: the ID of the job is stored after the outage',
      session: { job: true },
      steps: [answeredInOutage()],
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it:
        by === 'shutDown'
          ? 'redaction, shutdown: the transcript is redacted and stored'
          : 'redaction, cancellation: the call counts, and nothing of the transcript is stored',
      session: { redaction: true },
      steps: [namedThen(NAME, (named) => (named[by](), named.answer()))],
      ends: by === 'cancel' ? { outcomes: 'canceled', status: 'canceled' } : {},
    })),
    {
      it: 'redaction, database outage: the redacted transcript is stored after the outage',
      session: { redaction: true },
      steps: [namedInOutage(NAME)],
    },
    {
      it: 'shutdown, cancellation: a session that is canceled during a shutdown is not retried',
      steps: [interrupted('cancelInShutdown')],
      ends: CANCELED,
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it: `${by === 'shutDown' ? 'shutdown' : 'cancellation'}, database outage: what was paid for is stored after the outage`,
      steps: [answeredInOutage(by)],
    })),
  ];

  it('cover every pair once', () => {
    const expected = MECHANISMS.flatMap((one, index) => MECHANISMS.slice(index + 1).map((two) => `${one}, ${two}`));
    expect(PAIRS.map(({ it: title }) => title.split(':')[0])).to.deep.equal(expected);
  });

  for (const { it: title, worker: options = {}, session: settings, steps = [attempt], ends } of PAIRS) {
    it(title, async () => {
      const worker = createWorker(doubles, options);
      const session = await newSession(settings);
      let other: SessionModel | undefined;
      const see = async (provider?: Provider) => worker.attempt((other = await newSession({ provider })));
      for (const step of steps) await step(worker, session, see);
      if (!other) await see();
      const { row, ...seen } = await worker.examine(session);
      const { outcomes, ledger, paid } = await worker.examine(other!);
      expect({ ...seen, seen: outcomes }).to.deep.equal({ ...DONE, ...ends });
      const isDone = outcomes === 'transcribed';
      expect([ledger.includes('succeeded'), paid !== '']).to.deep.equal([isDone, isDone]);
      if (session.assistant.redaction) expect(row).not.to.contain(NAME);
    });
  }
});
