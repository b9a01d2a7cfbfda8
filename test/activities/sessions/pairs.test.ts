import { expect } from 'chai';
import type { SessionModel } from '../../../db/models/session.ts';
import { useStarted } from '../../support/use-started.ts';
import { accept, createWorker, NAME, newSession, refuse, reset, startDoubles } from './pairs.ts';
import type { NewSession, Provider, Worker, WorkerOptions } from './pairs.ts';

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

interface Pair {
  it: string;
  worker?: WorkerOptions;
  session?: NewSession;
  /** `see` runs a session of another workspace in the same worker; default: at the end. Default: one attempt. */
  play?: (worker: Worker, session: SessionModel, see: (provider?: Provider) => Promise<unknown>) => unknown;
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

  /** Runs a session whose provider answers while the database is away. */
  async function attemptInOutage(worker: Worker, session: SessionModel, by?: 'shutDown' | 'cancel') {
    const held = await worker.startHeld('aisha', session);
    await inOutage(held.answer, by && held[by]);
    await held.ended;
  }

  /** Applies `play` to the requests whose text contains this: a name for the transcript, or the greeting of the check before the call. */
  const onNames = (part: string, play: typeof accept) => {
    doubles.recognizer.play = (response, send, text) => (text.includes(part) ? play : accept)(response, send);
  };

  /** Runs a session until the recognizer has its transcript. `answer` lets it respond. */
  async function startNamed(worker: Worker, session: SessionModel, part = NAME) {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    onNames(part, (_response, send) => resolve(send));
    const attempt = worker.start(session);
    return { ...attempt, answer: await promise };
  }

  async function interrupt(worker: Worker, session: SessionModel, by: 'shutDown' | 'cancel', kind?: 'poll') {
    const held = await worker.startHeld('aisha', session, kind);
    held[by]();
    await held.ended;
  }

  /** Runs `then` while a call of another session holds its slot and its reservation. */
  async function whileHeld(worker: Worker, other: NewSession, then: () => Promise<void>) {
    const held = await worker.startHeld(other.provider ?? 'aisha', await newSession(other));
    await then();
    held.answer();
    await held.ended;
  }

  const failNames = (part: string) => onNames(part, (response) => response.writeHead(500).end());

  const expectSibling = async (worker: Worker, session: SessionModel, outcome: string) => {
    const { ended } = worker.start(await newSession({ sibling: session }));
    expect(await ended).to.equal(outcome);
  };

  const PAIRS: Pair[] = [
    {
      it: 'fallback, circuit: the fallback is used at once; a workspace without one makes no call',
      session: { fallback: true },
      async play(worker, session) {
        await worker.openCircuit();
        await worker.attempt(session);
      },
      ends: { ledger: 'whisper succeeded', paid: 'whisper', seen: 'unavailable' },
    },
    {
      it: 'fallback, slots: the step waits for a slot of the fallback without a row for it; other workspaces have one',
      worker: TWO,
      session: { fallback: true },
      async play(worker, session, see) {
        doubles.on('aisha', session, refuse);
        await whileHeld(worker, { provider: 'whisper', sibling: session }, async () => {
          await worker.attempt(session);
          await see('whisper');
        });
        await worker.attempt(session);
      },
      ends: {
        outcomes: 'no_slot, transcribed',
        ledger: 'aisha failed, aisha failed, whisper succeeded',
        paid: 'whisper',
      },
    },
    {
      it: 'fallback, budget: the fallback has its own check, in which a call that may be billed counts',
      session: { fallback: true, budget: 1 },
      play(worker, session) {
        doubles.on('aisha', session, reset);
        return worker.attempt(session);
      },
      ends: { ...OVER_BUDGET, ledger: 'aisha failed' },
    },
    {
      it: 'fallback, job: the job keeps its row and its estimate; the fallback has a row of its own',
      worker: SHORT,
      session: { fallback: true, job: true, budget: 2 },
      async play(worker, session) {
        doubles.on('aisha', session, refuse, 'poll');
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
      },
      ends: { ledger: 'aisha lost, whisper succeeded', paid: 'aisha, whisper' },
    },
    {
      it: "fallback, redaction: the fallback's transcript is redacted",
      session: { fallback: true, redaction: true },
      play(worker, session) {
        doubles.on('aisha', session, refuse);
        return worker.attempt(session);
      },
      ends: FALLBACK,
    },
    {
      it: "fallback, shutdown: the next worker repeats the fallback's interrupted call",
      session: { fallback: true },
      async play(worker, session) {
        doubles.on('aisha', session, refuse);
        const held = await worker.startHeld('whisper', session);
        held.shutDown();
        await held.ended;
        await worker.attempt(session);
      },
      ends: { ...RESUMED, ledger: 'aisha failed, whisper failed, aisha failed, whisper succeeded', paid: 'whisper' },
    },
    {
      it: 'fallback, cancellation: a canceled session does not call the fallback',
      session: { fallback: true },
      play: (worker, session) => interrupt(worker, session, 'cancel'),
      ends: CANCELED,
    },
    {
      it: "fallback, database outage: the failed call's row is closed after the outage, then the fallback is used",
      session: { fallback: true },
      play(worker, session) {
        doubles.on('aisha', session, (response, send) => inOutage(() => refuse(response, send)));
        return worker.attempt(session);
      },
      ends: FALLBACK,
    },
    {
      it: 'circuit, slots: the fallback is used although calls that hang hold the slots',
      worker: TWO,
      session: { fallback: true },
      play: (worker, session, see) =>
        whileHeld(worker, { sibling: session }, async () => {
          await worker.openCircuit();
          await worker.attempt(session);
          await see();
        }),
      ends: { ledger: 'whisper succeeded', paid: 'whisper', seen: 'unavailable' },
    },
    {
      it: 'circuit, budget: a test call over budget does not keep the circuit open for others',
      worker: TESTED,
      session: { budget: 0 },
      async play(worker, session) {
        await worker.openCircuit();
        await worker.attempt(session);
      },
      ends: OVER_BUDGET,
    },
    {
      it: 'circuit, job: the job is kept while the circuit is open, then its result is read',
      worker: SHORT,
      session: { job: true },
      async play(worker, session) {
        doubles.on('aisha', session, refuse, 'poll');
        await worker.attempt(session);
        await worker.openCircuit();
        doubles.on('aisha', session, accept, 'poll');
        await worker.attempt(session);
        await worker.closeCircuit();
        await worker.attempt(session);
      },
      ends: { outcomes: 'unavailable, unavailable, transcribed' },
    },
    {
      it: 'circuit, redaction: failures of the recognizer do not open the circuit',
      session: { redaction: true },
      async play(worker, session, see) {
        failNames('Hello');
        for (let i = 0; i < 5; i++) await worker.attempt(session);
        await see();
        doubles.recognizer.play = accept;
        await worker.attempt(session);
      },
      ends: { outcomes: `${'unavailable, '.repeat(5)}transcribed` },
    },
    {
      it: 'circuit, shutdown: the next session tests the provider after an interrupted test',
      worker: TESTED,
      async play(worker, session, see) {
        await worker.openCircuit();
        const held = await worker.startHeld('aisha', session);
        await expectSibling(worker, session, 'unavailable');
        held.shutDown();
        await held.ended;
        await see();
        await worker.attempt(session);
      },
      ends: REPEATED,
    },
    {
      it: 'circuit, cancellation: the next session tests the provider after a canceled test',
      worker: TESTED,
      async play(worker, session) {
        await worker.openCircuit();
        await interrupt(worker, session, 'cancel');
      },
      ends: CANCELED,
    },
    {
      it: 'circuit, database outage: the next session tests the provider if the row of a test cannot be stored',
      worker: TESTED,
      session: { redaction: true },
      async play(worker, session, see) {
        await worker.openCircuit();
        const named = await startNamed(worker, session, 'Hello');
        await inOutage(named.answer);
        await named.ended;
        doubles.recognizer.play = accept;
        await see();
        await worker.attempt(session);
      },
      ends: { outcomes: 'no database, transcribed' },
    },
    {
      it: 'slots, budget: steps that wait for the budget hold no slot',
      worker: { slots: 3 },
      session: { budget: 1 },
      async play(worker, session, see) {
        await whileHeld(worker, { sibling: session }, async () => {
          for (let i = 0; i < 3; i++) await worker.attempt(session);
          await see();
        });
        await worker.attempt(session);
      },
      ends: { ...OVER_BUDGET, outcomes: `${'budget_reserved, '.repeat(3)}budget_exceeded` },
    },
    {
      it: 'slots, job: a job waits for a slot with its row, and is not submitted again',
      worker: TWO,
      session: { job: true },
      async play(worker, session, see) {
        await interrupt(worker, session, 'shutDown', 'poll');
        await whileHeld(worker, { sibling: session }, async () => {
          await worker.attempt(session);
          await see();
        });
        await worker.attempt(session);
      },
      ends: { outcomes: 'worker_shutdown, no_slot, transcribed' },
    },
    {
      it: 'slots, redaction: a recognizer that hangs before the call holds no slot',
      worker: TWO,
      session: { redaction: true },
      async play(worker, session, see) {
        const named = await startNamed(worker, session, 'Hello');
        await expectSibling(worker, session, 'transcribed');
        await see();
        named.answer();
        await named.ended;
      },
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it: `slots, ${by === 'shutDown' ? 'shutdown' : 'cancellation'}: the interrupted step frees its slot`,
      worker: TWO,
      async play(worker, session) {
        const held = await worker.startHeld('aisha', session);
        await expectSibling(worker, session, 'no_slot');
        held[by]();
        await held.ended;
        await expectSibling(worker, session, 'transcribed');
      },
      ends: by === 'cancel' ? CANCELED : { outcomes: 'worker_shutdown', ledger: 'aisha failed', paid: '' },
    })),
    {
      it: 'slots, database outage: the step stores what was paid for, then frees its slot',
      worker: TWO,
      async play(worker, session) {
        await attemptInOutage(worker, session);
        await expectSibling(worker, session, 'transcribed');
      },
    },
    {
      it: 'budget, job: a job reserves its estimate once, until its result is read',
      session: { job: true, budget: 1 },
      async play(worker, session) {
        await interrupt(worker, session, 'shutDown', 'poll');
        await expectSibling(worker, session, 'budget_reserved');
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
      },
      ends: RESUMED,
    },
    {
      it: 'budget, redaction: a transcript that cannot be redacted counts',
      session: { redaction: true, budget: 1 },
      async play(worker, session) {
        failNames(NAME);
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
      },
      ends: { outcomes: 'internal', status: 'failed' },
    },
    {
      it: 'budget, shutdown: an interrupted call counts, because it may be billed',
      session: { budget: 2 },
      async play(worker, session) {
        await interrupt(worker, session, 'shutDown');
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
      },
      ends: REPEATED,
    },
    {
      it: 'budget, cancellation: a canceled call counts, because it may be billed',
      session: { budget: 1 },
      async play(worker, session) {
        await interrupt(worker, session, 'cancel');
        await expectSibling(worker, session, 'budget_exceeded');
      },
      ends: CANCELED,
    },
    {
      it: 'budget, database outage: the reservation becomes the cost once',
      session: { budget: 2 },
      async play(worker, session) {
        await attemptInOutage(worker, session);
        await expectSibling(worker, session, 'transcribed');
        await expectSibling(worker, session, 'budget_exceeded');
      },
    },
    {
      it: 'job, redaction: a result that cannot be redacted ends the session, and the job is paid once',
      session: { job: true, redaction: true },
      play(worker, session) {
        failNames(NAME);
        return worker.attempt(session);
      },
      ends: { outcomes: 'internal', status: 'failed' },
    },
    {
      it: 'job, shutdown: the next worker reads the result of the same job',
      session: { job: true },
      async play(worker, session) {
        await interrupt(worker, session, 'shutDown', 'poll');
        await worker.attempt(session);
      },
      ends: RESUMED,
    },
    {
      it: 'job, cancellation: the job stays in the ledger, and its estimate counts',
      session: { job: true, budget: 1 },
      async play(worker, session) {
        await interrupt(worker, session, 'cancel', 'poll');
        await expectSibling(worker, session, 'budget_exceeded');
      },
      ends: { outcomes: 'canceled', ledger: 'aisha lost', status: 'canceled' },
    },
    {
      it: 'job, database outage: the ID of the job is stored after the outage',
      session: { job: true },
      play: (worker, session) => attemptInOutage(worker, session),
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it:
        by === 'shutDown'
          ? 'redaction, shutdown: the transcript is redacted and stored'
          : 'redaction, cancellation: the call counts, and nothing of the transcript is stored',
      session: { redaction: true },
      async play(worker, session) {
        const named = await startNamed(worker, session);
        named[by]();
        named.answer();
        await named.ended;
      },
      ends: by === 'cancel' ? { outcomes: 'canceled', status: 'canceled' } : {},
    })),
    {
      it: 'redaction, database outage: the redacted transcript is stored after the outage',
      session: { redaction: true },
      async play(worker, session) {
        const named = await startNamed(worker, session);
        await inOutage(named.answer);
        await named.ended;
      },
    },
    {
      it: 'shutdown, cancellation: a session that is canceled during a shutdown is not retried',
      async play(worker, session) {
        const held = await worker.startHeld('aisha', session);
        held.cancel(true);
        await held.ended;
      },
      ends: CANCELED,
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it: `${by === 'shutDown' ? 'shutdown' : 'cancellation'}, database outage: what was paid for is stored after the outage`,
      play: (worker, session) => attemptInOutage(worker, session, by),
    })),
  ];

  it('cover every pair once', () => {
    const expected = MECHANISMS.flatMap((one, index) => MECHANISMS.slice(index + 1).map((two) => `${one}, ${two}`));
    expect(PAIRS.map(({ it: title }) => title.split(':')[0])).to.deep.equal(expected);
  });

  for (const { it: title, worker: options = {}, session: settings, play, ends } of PAIRS) {
    it(title, async () => {
      const worker = createWorker(doubles, options);
      const session = await newSession(settings);
      let other: SessionModel | undefined;
      const see = async (provider?: Provider) => worker.attempt((other = await newSession({ provider })));
      await (play ? play(worker, session, see) : worker.attempt(session));
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
