import { expect } from 'chai';
import type { SessionModel } from '../../../db/models/session.ts';
import { useStarted } from '../../support/use-started.ts';
import { accept, createWorker, NAME, newSession, refuse, reset, startDoubles } from './pairs.ts';
import type { Provider, Worker, WorkerOptions } from './pairs.ts';

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
  /** Returns the session to examine. `see` runs a session of another workspace in the same worker; default: at the end. */
  play: (worker: Worker, see: (provider?: Provider) => Promise<unknown>) => Promise<SessionModel>;
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
    return session;
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
    return session;
  }

  const failNames = (part: string) => onNames(part, (response) => response.writeHead(500).end());

  const expectSibling = async (worker: Worker, session: SessionModel, outcome: string) => {
    const { ended } = worker.start(await newSession({ sibling: session }));
    expect(await ended).to.equal(outcome);
  };

  const PAIRS: Pair[] = [
    {
      it: 'fallback, circuit: the fallback is used at once; a workspace without one makes no call',
      async play(worker) {
        await worker.openCircuit();
        return worker.attemptNew({ fallback: true });
      },
      ends: { ledger: 'whisper succeeded', paid: 'whisper', seen: 'unavailable' },
    },
    {
      it: 'fallback, slots: the step waits for a slot of the fallback without a row for it; other workspaces have one',
      worker: TWO,
      async play(worker, see) {
        const session = await newSession({ fallback: true });
        doubles.on('aisha', session, refuse);
        const held = await worker.startHeld('whisper', await newSession({ provider: 'whisper', sibling: session }));
        await worker.attempt(session);
        await see('whisper');
        held.answer();
        await held.ended;
        return worker.attempt(session);
      },
      ends: {
        outcomes: 'no_slot, transcribed',
        ledger: 'aisha failed, aisha failed, whisper succeeded',
        paid: 'whisper',
      },
    },
    {
      it: 'fallback, budget: the fallback has its own check, in which a call that may be billed counts',
      async play(worker) {
        const session = await newSession({ fallback: true, budget: 1 });
        doubles.on('aisha', session, reset);
        return worker.attempt(session);
      },
      ends: { outcomes: 'budget_exceeded', ledger: 'aisha failed', paid: '', status: 'failed' },
    },
    {
      it: 'fallback, job: the job keeps its row and its estimate; the fallback has a row of its own',
      worker: SHORT,
      async play(worker) {
        const session = await newSession({ fallback: true, job: true, budget: 2 });
        doubles.on('aisha', session, refuse, 'poll');
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
      ends: { ledger: 'aisha lost, whisper succeeded', paid: 'aisha, whisper' },
    },
    {
      it: "fallback, redaction: the fallback's transcript is redacted",
      async play(worker) {
        const session = await newSession({ fallback: true, redaction: true });
        doubles.on('aisha', session, refuse);
        return worker.attempt(session);
      },
      ends: { ledger: 'aisha failed, whisper succeeded', paid: 'whisper' },
    },
    {
      it: "fallback, shutdown: the next worker repeats the fallback's interrupted call",
      async play(worker) {
        const session = await newSession({ fallback: true });
        doubles.on('aisha', session, refuse);
        const held = await worker.startHeld('whisper', session);
        held.shutDown();
        await held.ended;
        return worker.attempt(session);
      },
      ends: {
        outcomes: 'worker_shutdown, transcribed',
        ledger: 'aisha failed, whisper failed, aisha failed, whisper succeeded',
        paid: 'whisper',
      },
    },
    {
      it: 'fallback, cancellation: a canceled session does not call the fallback',
      async play(worker) {
        return interrupt(worker, await newSession({ fallback: true }), 'cancel');
      },
      ends: { outcomes: 'canceled', ledger: 'aisha failed', paid: '', status: 'canceled' },
    },
    {
      it: "fallback, database outage: the failed call's row is closed after the outage, then the fallback is used",
      async play(worker) {
        const session = await newSession({ fallback: true });
        doubles.on('aisha', session, (response, send) => inOutage(() => refuse(response, send)));
        return worker.attempt(session);
      },
      ends: { ledger: 'aisha failed, whisper succeeded', paid: 'whisper' },
    },
    {
      it: 'circuit, slots: the fallback is used although calls that hang hold the slots',
      worker: TWO,
      async play(worker, see) {
        const session = await newSession({ fallback: true });
        const held = await worker.startHeld('aisha', await newSession({ sibling: session }));
        await worker.openCircuit();
        await worker.attempt(session);
        await see();
        held.answer();
        await held.ended;
        return session;
      },
      ends: { ledger: 'whisper succeeded', paid: 'whisper', seen: 'unavailable' },
    },
    {
      it: 'circuit, budget: a test call over budget does not keep the circuit open for others',
      worker: TESTED,
      async play(worker) {
        await worker.openCircuit();
        return worker.attemptNew({ budget: 0 });
      },
      ends: { outcomes: 'budget_exceeded', ledger: '', paid: '', status: 'failed' },
    },
    {
      it: 'circuit, job: the job is kept while the circuit is open, then its result is read',
      worker: SHORT,
      async play(worker) {
        const session = await newSession({ job: true });
        doubles.on('aisha', session, refuse, 'poll');
        await worker.attempt(session);
        await worker.openCircuit();
        doubles.on('aisha', session, accept, 'poll');
        await worker.attempt(session);
        await worker.closeCircuit();
        return worker.attempt(session);
      },
      ends: { outcomes: 'unavailable, unavailable, transcribed' },
    },
    {
      it: 'circuit, redaction: failures of the recognizer do not open the circuit',
      async play(worker, see) {
        const session = await newSession({ redaction: true });
        failNames('Hello');
        for (let i = 0; i < 5; i++) await worker.attempt(session);
        await see();
        doubles.recognizer.play = accept;
        return worker.attempt(session);
      },
      ends: { outcomes: `${'unavailable, '.repeat(5)}transcribed` },
    },
    {
      it: 'circuit, shutdown: the next session tests the provider after an interrupted test',
      worker: TESTED,
      async play(worker, see) {
        await worker.openCircuit();
        const session = await newSession();
        const held = await worker.startHeld('aisha', session);
        await expectSibling(worker, session, 'unavailable');
        held.shutDown();
        await held.ended;
        await see();
        return worker.attempt(session);
      },
      ends: { outcomes: 'worker_shutdown, transcribed', ledger: 'aisha failed, aisha succeeded' },
    },
    {
      it: 'circuit, cancellation: the next session tests the provider after a canceled test',
      worker: TESTED,
      async play(worker) {
        await worker.openCircuit();
        return interrupt(worker, await newSession(), 'cancel');
      },
      ends: { outcomes: 'canceled', ledger: 'aisha failed', paid: '', status: 'canceled' },
    },
    {
      it: 'circuit, database outage: the next session tests the provider if the row of a test cannot be stored',
      worker: TESTED,
      async play(worker, see) {
        await worker.openCircuit();
        const session = await newSession({ redaction: true });
        const named = await startNamed(worker, session, 'Hello');
        await inOutage(named.answer);
        await named.ended;
        doubles.recognizer.play = accept;
        await see();
        return worker.attempt(session);
      },
      ends: { outcomes: 'no database, transcribed' },
    },
    {
      it: 'slots, budget: steps that wait for the budget hold no slot',
      worker: { slots: 3 },
      async play(worker, see) {
        const session = await newSession({ budget: 1 });
        const held = await worker.startHeld('aisha', await newSession({ sibling: session }));
        for (let i = 0; i < 3; i++) await worker.attempt(session);
        await see();
        held.answer();
        await held.ended;
        return worker.attempt(session);
      },
      ends: {
        outcomes: 'budget_reserved, budget_reserved, budget_reserved, budget_exceeded',
        ledger: '',
        paid: '',
        status: 'failed',
      },
    },
    {
      it: 'slots, job: a job waits for a slot with its row, and is not submitted again',
      worker: TWO,
      async play(worker, see) {
        const session = await newSession({ job: true });
        await interrupt(worker, session, 'shutDown', 'poll');
        const held = await worker.startHeld('aisha', await newSession({ sibling: session }));
        await worker.attempt(session);
        await see();
        held.answer();
        await held.ended;
        return worker.attempt(session);
      },
      ends: { outcomes: 'worker_shutdown, no_slot, transcribed' },
    },
    {
      it: 'slots, redaction: a recognizer that hangs before the call holds no slot',
      worker: TWO,
      async play(worker, see) {
        const session = await newSession({ redaction: true });
        const named = await startNamed(worker, session, 'Hello');
        await expectSibling(worker, session, 'transcribed');
        await see();
        named.answer();
        await named.ended;
        return session;
      },
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it: `slots, ${by === 'shutDown' ? 'shutdown' : 'cancellation'}: the interrupted step frees its slot`,
      worker: TWO,
      async play(worker) {
        const session = await newSession();
        const held = await worker.startHeld('aisha', session);
        await expectSibling(worker, session, 'no_slot');
        held[by]();
        await held.ended;
        await expectSibling(worker, session, 'transcribed');
        return session;
      },
      ends: {
        outcomes: by === 'shutDown' ? 'worker_shutdown' : 'canceled',
        ledger: 'aisha failed',
        paid: '',
        ...(by === 'cancel' && { status: 'canceled' }),
      },
    })),
    {
      it: 'slots, database outage: the step stores what was paid for, then frees its slot',
      worker: TWO,
      async play(worker) {
        const session = await attemptInOutage(worker, await newSession());
        await expectSibling(worker, session, 'transcribed');
        return session;
      },
    },
    {
      it: 'budget, job: a job reserves its estimate once, until its result is read',
      async play(worker) {
        const session = await newSession({ job: true, budget: 1 });
        await interrupt(worker, session, 'shutDown', 'poll');
        await expectSibling(worker, session, 'budget_reserved');
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
      ends: { outcomes: 'worker_shutdown, transcribed' },
    },
    {
      it: 'budget, redaction: a transcript that cannot be redacted counts',
      async play(worker) {
        const session = await newSession({ redaction: true, budget: 1 });
        failNames(NAME);
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
      ends: { outcomes: 'internal', status: 'failed' },
    },
    {
      it: 'budget, shutdown: an interrupted call counts, because it may be billed',
      async play(worker) {
        const session = await newSession({ budget: 2 });
        await interrupt(worker, session, 'shutDown');
        await worker.attempt(session);
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
      ends: { outcomes: 'worker_shutdown, transcribed', ledger: 'aisha failed, aisha succeeded' },
    },
    {
      it: 'budget, cancellation: a canceled call counts, because it may be billed',
      async play(worker) {
        const session = await newSession({ budget: 1 });
        await interrupt(worker, session, 'cancel');
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
      ends: { outcomes: 'canceled', ledger: 'aisha failed', paid: '', status: 'canceled' },
    },
    {
      it: 'budget, database outage: the reservation becomes the cost once',
      async play(worker) {
        const session = await attemptInOutage(worker, await newSession({ budget: 2 }));
        await expectSibling(worker, session, 'transcribed');
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
    },
    {
      it: 'job, redaction: a result that cannot be redacted ends the session, and the job is paid once',
      async play(worker) {
        failNames(NAME);
        return worker.attemptNew({ job: true, redaction: true });
      },
      ends: { outcomes: 'internal', status: 'failed' },
    },
    {
      it: 'job, shutdown: the next worker reads the result of the same job',
      async play(worker) {
        const session = await newSession({ job: true });
        await interrupt(worker, session, 'shutDown', 'poll');
        return worker.attempt(session);
      },
      ends: { outcomes: 'worker_shutdown, transcribed' },
    },
    {
      it: 'job, cancellation: the job stays in the ledger, and its estimate counts',
      async play(worker) {
        const session = await newSession({ job: true, budget: 1 });
        await interrupt(worker, session, 'cancel', 'poll');
        await expectSibling(worker, session, 'budget_exceeded');
        return session;
      },
      ends: { outcomes: 'canceled', ledger: 'aisha lost', status: 'canceled' },
    },
    {
      it: 'job, database outage: the ID of the job is stored after the outage',
      play: async (worker) => attemptInOutage(worker, await newSession({ job: true })),
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it:
        by === 'shutDown'
          ? 'redaction, shutdown: the transcript is redacted and stored'
          : 'redaction, cancellation: the call counts, and nothing of the transcript is stored',
      async play(worker) {
        const session = await newSession({ redaction: true });
        const named = await startNamed(worker, session);
        named[by]();
        named.answer();
        await named.ended;
        return session;
      },
      ends: {
        outcomes: by === 'shutDown' ? 'transcribed' : 'canceled',
        ...(by === 'cancel' && { status: 'canceled' }),
      },
    })),
    {
      it: 'redaction, database outage: the redacted transcript is stored after the outage',
      async play(worker) {
        const session = await newSession({ redaction: true });
        const named = await startNamed(worker, session);
        await inOutage(named.answer);
        await named.ended;
        return session;
      },
    },
    {
      it: 'shutdown, cancellation: a session that is canceled during a shutdown is not retried',
      async play(worker) {
        const session = await newSession();
        const held = await worker.startHeld('aisha', session);
        held.cancel(true);
        await held.ended;
        return session;
      },
      ends: { outcomes: 'canceled', ledger: 'aisha failed', paid: '', status: 'canceled' },
    },
    ...(['shutDown', 'cancel'] as const).map((by): Pair => ({
      it: `${by === 'shutDown' ? 'shutdown' : 'cancellation'}, database outage: what was paid for is stored after the outage`,
      play: async (worker) => attemptInOutage(worker, await newSession(), by),
    })),
  ];

  it('cover every pair once', () => {
    const expected = MECHANISMS.flatMap((one, index) => MECHANISMS.slice(index + 1).map((two) => `${one}, ${two}`));
    expect(PAIRS.map(({ it: title }) => title.split(':')[0])).to.deep.equal(expected);
  });

  for (const { it: title, worker: options = {}, play, ends } of PAIRS) {
    it(title, async () => {
      const worker = createWorker(doubles, options);
      let other: SessionModel | undefined;
      const see = async (provider?: Provider) => worker.attempt((other = await newSession({ provider })));
      const session = await play(worker, see);
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
