import { expect } from 'chai';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { AttemptOutcome, PostWebhookInput } from '../../activities/webhooks/post-webhook.ts';
import { DELIVERY_FAILURES } from '../../contract/constants.ts';
import type { DeliveryFailure } from '../../contract/constants.ts';
import { SIGNALS } from '../../contract/workflows.ts';
import { eventually } from '../support/eventually.ts';
import { delaysOf, eventsOf, stepsOf, valuesOf } from '../support/history.ts';
import type { History } from '../support/history.ts';
import { prepareWorkflowRuns, runWorkflow } from '../support/workflow-runs.ts';
import type { WorkflowToRun } from '../support/workflow-runs.ts';

const DELIVERY_ID = 'dlv_01h455vb4pex5vsknk084sn02q';
const DELAYS_MS = [30_000, 120_000, 600_000];

const succeeded: AttemptOutcome = { status: 'delivered', failure: null, status_code: 200 };
const STOP = { delivery_id: DELIVERY_ID, reason: 'requested' };

const stopped: AttemptOutcome = { status: 'stopped', failure: null, status_code: null };

/** A failed attempt; the fourth is the last. */
function failed(failure: DeliveryFailure, attempt = 1): AttemptOutcome {
  const status_code = { http_status: 503, redirect: 302 }[failure as string] ?? null;
  return { status: attempt === 4 ? 'failed' : 'pending', failure, status_code };
}

/** The timer is there and, as nobody waits for the result yet, does not run. */
async function cancelInFirstWait(handle: WorkflowHandle): Promise<void> {
  await eventually(
    async () => delaysOf(await handle.fetchHistory()),
    (delays) => delays.length === 1,
  );
  await handle.cancel();
}

const firedTimers = (history: History) => eventsOf(history).filter((event) => event.timerFiredEventAttributes).length;

/** Waits until the workflow has asked for `count` timers. */
const waits = (handle: WorkflowHandle, count: number) =>
  eventually(
    async () => delaysOf(await handle.fetchHistory()),
    (delays) => delays.length === count,
  );

type Post = (input: PostWebhookInput) => Promise<AttemptOutcome> | AttemptOutcome;

/** How a delivery comes about. */
interface Way extends Pick<WorkflowToRun, 'type' | 'args'> {
  /** The analysis makes the first attempt. */
  atOnce?: boolean;
}

/** A session whose analysis has just left a delivery, and whose attempts end as `post` says. */
async function deliver(
  post: Post,
  meanwhile?: (handle: WorkflowHandle) => Promise<unknown>,
  { atOnce = false, ...as }: Way = { type: 'analyzeSession', args: [{ session_id: 'sess_1' }] },
) {
  const posts: PostWebhookInput[] = [];
  const stops: unknown[] = [];
  const postWebhook: Post = (input) => {
    posts.push(input);
    return post(input);
  };
  const run = await runWorkflow({
    ...as,
    activities: {
      analyzeConversation: async () => {
        const outcome = { status: 'completed', delivery_id: DELIVERY_ID, webhook_host: 'a.example' } as const;
        const first = atOnce ? await postWebhook({ delivery_id: DELIVERY_ID, attempt: 1 }) : undefined;
        return first === undefined || first.status === 'busy' ? outcome : { ...outcome, first_attempt: first };
      },
      postWebhook: async (input) => postWebhook(input),
      stopDelivery: async (input) => void stops.push(input),
    },
    ...(meanwhile && { meanwhile }),
  });
  return { ...run, posts, stops, attempts: posts.map(({ attempt }) => attempt) };
}

describe('the delivery of a webhook', () => {
  before(async function () {
    this.timeout(0);
    await prepareWorkflowRuns();
  });

  for (const failure of DELIVERY_FAILURES) {
    it(`§6.4 is retried 30 s, 2 min and 10 min after an attempt that failed with ${failure}, then no more`, async () => {
      const run = await deliver(({ attempt }) => failed(failure, attempt));
      expect(run.attempts).to.deep.equal([1, 2, 3, 4]);
      expect(delaysOf(run.history)).to.deep.equal(DELAYS_MS);
      expect(stepsOf(run.history).map(({ name }) => name)).to.deep.equal([
        'analyzeConversation',
        ...['postWebhook', 'timer', 'postWebhook', 'timer', 'postWebhook', 'timer', 'postWebhook'],
      ]);
      expect(run.status).to.equal('COMPLETED');
    });
  }

  for (const last of [1, 2, 3, 4]) {
    it(`§6.4 ends with the first success, here attempt ${last}`, async () => {
      const run = await deliver(({ attempt }) => (attempt === last ? succeeded : failed('connect', attempt)));
      expect(run.attempts).to.deep.equal([1, 2, 3, 4].slice(0, last));
      expect(delaysOf(run.history)).to.deep.equal(DELAYS_MS.slice(0, last - 1));
      expect(valuesOf(run.history, 'DeliveryStatus')).to.deep.equal(['pending', 'delivered']);
    });
  }

  it('names the same delivery in every attempt', async () => {
    const run = await deliver(({ attempt }) => failed('timeout', attempt));
    expect(new Set(run.posts.map(({ delivery_id }) => delivery_id))).to.deep.equal(new Set([DELIVERY_ID]));
  });

  it('ends when the delivery turns out to be stopped', async () => {
    const run = await deliver(({ attempt }) => (attempt === 2 ? stopped : failed('dns', attempt)));
    expect(run.attempts).to.deep.equal([1, 2]);
    expect(delaysOf(run.history)).to.deep.equal([30_000]);
    expect(valuesOf(run.history, 'DeliveryStatus')).to.deep.equal(['pending', 'stopped']);
    expect(run.status).to.equal('COMPLETED');
  });

  it('runs an attempt again under its own number, without a wait of the schedule, until its end is reported', async () => {
    let calls = 0;
    const run = await deliver(() => {
      if (++calls < 8) throw ApplicationFailure.retryable('the worker died', 'test');
      return succeeded;
    });
    expect(run.attempts).to.deep.equal([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(delaysOf(run.history)).to.deep.equal([]);
    expect(run.status).to.equal('COMPLETED');
  });

  describe('for operators', () => {
    it('says at every attempt and at every wait what it is and why', async () => {
      const kinds = ['http_status', 'timeout', 'redirect', 'connect'] as const;
      const run = await deliver(({ attempt }) => failed(kinds[attempt - 1]!, attempt));
      expect(stepsOf(run.history).map(({ summary }) => summary)).to.deep.equal([
        'language model',
        'attempt 1 of 4',
        'retry 1 of 3, after HTTP 503',
        'attempt 2 of 4',
        'retry 2 of 3, after timeout',
        'attempt 3 of 4',
        'retry 3 of 3, after HTTP 302',
        'attempt 4 of 4',
      ]);
    });

    it('tells the story of the attempts in the current details', async () => {
      const run = await deliver(({ attempt }) => (attempt === 3 ? succeeded : failed('http_status', attempt)));
      expect(run.details).to.contain(DELIVERY_ID);
      expect(run.details.split('\n').filter((line) => line.startsWith('- '))).to.deep.equal([
        '- attempt 1 of 4: HTTP 503',
        '- attempt 2 of 4: HTTP 503',
        '- attempt 3 of 4: delivered',
      ]);
    });

    it('shows a delivery that is given up as failed', async () => {
      const run = await deliver(({ attempt }) => failed('tls', attempt));
      expect(valuesOf(run.history, 'DeliveryStatus')).to.deep.equal(['pending', 'failed']);
      expect(valuesOf(run.history, 'SessionStatus').at(-1)).to.equal('completed');
    });
  });

  describe('that is canceled', () => {
    it('while it waits is stopped with the reason, and posts no more', async () => {
      const run = await deliver(({ attempt }) => failed('connect', attempt), cancelInFirstWait);
      expect(run.attempts).to.deep.equal([1]);
      expect(run.stops).to.deep.equal([{ delivery_id: DELIVERY_ID, reason: 'canceled' }]);
      expect(valuesOf(run.history, 'DeliveryStatus')).to.deep.equal(['pending', 'stopped']);
      expect(run.status).to.equal('CANCELLED');
    });

    it('leaves its finished session completed', async () => {
      const run = await deliver(({ attempt }) => failed('connect', attempt), cancelInFirstWait);
      expect(stepsOf(run.history).map(({ name }) => name)).not.to.include('endSession');
      expect(valuesOf(run.history, 'SessionStatus').at(-1)).to.equal('completed');
    });
  });

  const OWN = { type: 'deliverWebhook', args: [{ delivery_id: DELIVERY_ID, webhook_host: 'a.example' }] };
  const AT_ONCE: Way = { type: 'analyzeSession', args: [{ session_id: 'sess_1' }], atOnce: true };
  const WAYS: Record<string, Way> = {
    "in its session's workflow": { type: 'analyzeSession', args: [{ session_id: 'sess_1' }] },
    'whose first attempt its analysis made': AT_ONCE,
    'in a workflow of its own': OWN,
  };

  describe('whose first attempt its analysis made', () => {
    it('and that succeeded, takes no step more, and its states are one write in the last task', async () => {
      const run = await deliver(() => succeeded, undefined, AT_ONCE);
      expect(stepsOf(run.history).map(({ name }) => name)).to.deep.equal(['analyzeConversation']);
      const shown = ['SessionStatus', 'DeliveryStatus', 'WebhookHost'].map((name) => valuesOf(run.history, name));
      expect(shown).to.deep.equal([['completed'], ['delivered'], ['a.example']]);
      const tasks = eventsOf(run.history).flatMap((event) => {
        const of =
          event.upsertWorkflowSearchAttributesEventAttributes ?? event.workflowExecutionCompletedEventAttributes;
        return of ? [Number(of.workflowTaskCompletedEventId)] : [];
      });
      expect(tasks).to.have.length(2);
      expect(tasks[0]).to.equal(tasks[1]);
      expect(run.details).to.contain('- attempt 1 of 4: delivered');
    });

    it('and that failed, is shown as pending with the reason, and waits for the next', async () => {
      const run = await deliver(
        ({ attempt }) => (attempt === 1 ? failed('http_status') : succeeded),
        undefined,
        AT_ONCE,
      );
      expect(valuesOf(run.history, 'DeliveryStatus')).to.deep.equal(['pending', 'delivered']);
      expect(stepsOf(run.history).map(({ summary }) => summary)).to.deep.equal([
        ...['language model', 'retry 1 of 3, after HTTP 503', 'attempt 2 of 4'],
      ]);
      expect(run.details).to.contain('- attempt 1 of 4: HTTP 503');
    });

    it('stays delivered where it was to be stopped meanwhile', async () => {
      const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
      const run = await deliver(
        async () => {
          await stopped;
          return succeeded;
        },
        async (handle) => {
          await handle.signal('stopDelivery');
          stop();
        },
        AT_ONCE,
      );
      expect([run.stops, valuesOf(run.history, 'DeliveryStatus')]).to.deep.equal([[], ['delivered']]);
      expect(run.status).to.equal('COMPLETED');
    });
  });

  for (const [way, as] of Object.entries(WAYS)) {
    describe(way, () => {
      it('§6.4 follows the same schedule', async () => {
        const run = await deliver(({ attempt }) => failed('connect', attempt), undefined, as);
        expect(run.attempts).to.deep.equal([1, 2, 3, 4]);
        expect(delaysOf(run.history)).to.deep.equal(DELAYS_MS);
        expect(run.status).to.equal('COMPLETED');
      });

      it('makes the next attempt at once on the signal retryNow, and waits as ever after it', async () => {
        const run = await deliver(
          ({ attempt }) => (attempt === 3 ? succeeded : failed('connect', attempt)),
          async (handle) => {
            await waits(handle, 1);
            await handle.signal('retryNow', { attempt: 2 });
            await waits(handle, 2);
          },
          as,
        );
        expect(run.attempts).to.deep.equal([1, 2, 3]);
        expect(delaysOf(run.history)).to.deep.equal(DELAYS_MS.slice(0, 2));
        expect(firedTimers(run.history)).to.equal(1);
      });

      it('does not hasten a later attempt for a signal that came too late, or twice', async () => {
        const run = await deliver(
          ({ attempt }) => (attempt === 3 ? succeeded : failed('connect', attempt)),
          async (handle) => {
            await waits(handle, 1);
            await handle.signal('retryNow', { attempt: 2 });
            await waits(handle, 2);
            await handle.signal('retryNow', { attempt: 2 });
          },
          as,
        );
        expect(firedTimers(run.history)).to.equal(1);
      });

      it('takes the signal without an attempt, as an operator sends it, for the next one', async () => {
        const run = await deliver(
          ({ attempt }) => (attempt === 2 ? succeeded : failed('connect', attempt)),
          async (handle) => {
            await waits(handle, 1);
            await handle.signal('retryNow');
          },
          as,
        );
        expect(run.attempts).to.deep.equal([1, 2]);
        expect(firedTimers(run.history)).to.equal(0);
      });

      it('ends on the signal stopDelivery, and says so', async () => {
        const run = await deliver(
          ({ attempt }) => failed('connect', attempt),
          async (handle) => {
            await waits(handle, 1);
            await handle.signal('stopDelivery');
          },
          as,
        );
        expect(run.attempts).to.deep.equal([1]);
        expect(run.stops).to.deep.equal([STOP]);
        expect(valuesOf(run.history, 'DeliveryStatus').at(-1)).to.equal('stopped');
        expect(run.status).to.equal('COMPLETED');
      });

      it('shows the host it goes to, and another one when the URL changed', async () => {
        const hosts = ['a.example', 'a.example', 'b.example:8443', 'b.example:8443'];
        const run = await deliver(
          ({ attempt }) => ({ ...failed('dns', attempt), host: hosts[attempt - 1]! }),
          undefined,
          as,
        );
        const shown = valuesOf(run.history, 'WebhookHost');
        expect(shown.filter((host) => host !== 'a.example')).to.deep.equal(['b.example:8443']);
      });

      it('waits where enough attempts are under way, which is no attempt', async () => {
        let asked = 0;
        const run = await deliver(
          () => (++asked < 8 ? { status: 'busy', host: 'a.example', bound: 'host' } : succeeded),
          undefined,
          as,
        );
        expect(run.attempts).to.deep.equal(Array<number>(8).fill(1));
        for (const delay of delaysOf(run.history)) expect(delay).to.be.within(30_000, 60_000);
        const summaries = stepsOf(run.history).flatMap(({ name, summary }) => (name === 'timer' ? [summary] : []));
        expect(summaries[0]).to.equal('attempt 1 of 4 waits: enough attempts to a.example are under way');
        expect(run.details.split('\n').filter((line) => line.startsWith('- '))).to.deep.equal([
          '- attempt 1 of 4: delivered',
        ]);
      });

      it('goes on in new runs where it is refused for hours: a history stays short, and the schedule is kept', async () => {
        let asked = 0;
        const run = await deliver(
          ({ attempt }) => {
            if (attempt === 1) return failed('connect', 1);
            return ++asked < 60 ? { status: 'busy', host: 'b.example', bound: 'user' } : failed('connect', attempt);
          },
          undefined,
          as,
        );
        expect(run.attempts).to.deep.equal([1, ...Array<number>(60).fill(2), 3, 4]);
        expect(eventsOf(run.history).length).to.be.below(500);
        expect(delaysOf(run.history).slice(-2)).to.deep.equal(DELAYS_MS.slice(1));
        expect(run.status).to.equal('COMPLETED');
      });
    });
  }

  it('asks again at once when it is told that there is room', async () => {
    let asked = 0;
    const run = await deliver(
      () => (++asked === 1 ? { status: 'busy', host: 'a.example', bound: 'host' } : succeeded),
      async (handle) => {
        await waits(handle, 1);
        await handle.signal(SIGNALS.slotFree);
      },
    );
    expect(run.attempts).to.deep.equal([1, 1]);
    expect(firedTimers(run.history)).to.equal(0);
    expect(run.status).to.equal('COMPLETED');
  });

  it('goes on with the attempts that are on record', async () => {
    const run = await deliver(({ attempt }) => failed('connect', attempt), undefined, {
      type: 'deliverWebhook',
      args: [{ delivery_id: DELIVERY_ID, attempts_made: 2 }],
    });
    expect(run.attempts).to.deep.equal([3, 4]);
    expect(delaysOf(run.history)).to.deep.equal(DELAYS_MS.slice(2));
  });
});
