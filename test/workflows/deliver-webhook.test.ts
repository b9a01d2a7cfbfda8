import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { PostWebhookInput } from '../../activities/webhooks/post-webhook.ts';
import type { EndedAttempt } from '../../activities/webhooks/post-webhook.ts';
import { DELIVERY_FAILURES, type DeliveryFailure } from '../../contract/values/constants.ts';
import { eventually } from '../support/eventually.ts';
import { delaysOf, eventsOf, stepsOf, valuesOf } from '../support/history.ts';
import { runWorkflow, useWorkflowRuns, type WorkflowToRun } from '../support/workflow-runs.ts';

const DELIVERY_ID = 'dlv_01h455vb4pex5vsknk084sn02q';
const DELAYS_MS = [30_000, 120_000, 600_000];

type Post = (input: PostWebhookInput) => Promise<EndedAttempt> | EndedAttempt;
type Meanwhile = (handle: WorkflowHandle) => Promise<unknown>;

const succeeded: EndedAttempt = { status: 'delivered', failure: null, status_code: 200 };

/** Returns a failed attempt. The fourth attempt is the last one. */
function failed(failure: DeliveryFailure, attempt: number): EndedAttempt {
  const status_code = { http_status: 503, redirect: 302 }[failure as string] ?? null;
  return { status: attempt === 4 ? 'failed' : 'pending', failure, status_code };
}

/** Returns attempts that fail until this one succeeds. Without a number, all attempts fail. */
const failUntil =
  (success = Infinity, failure: DeliveryFailure = 'connect'): Post =>
  ({ attempt }) =>
    attempt === success ? succeeded : failed(failure, attempt);

/** Waits until the workflow has started `count` timers. They do not fire yet, because no client waits for the result. */
const untilTimers = (handle: WorkflowHandle, count: number) =>
  eventually(async () => delaysOf(await handle.fetchHistory()).length, count);

const cancelInFirstWait: Meanwhile = async (handle) => {
  await untilTimers(handle, 1);
  await handle.cancel();
};

/** Returns an attempt that finds no slot. */
const busy = () => ApplicationFailure.create({ type: 'no_slot', message: 'no slot', nextRetryDelay: '1 hour' });

const IN_SESSION = { type: 'analyzeSession', args: [{ session_id: 'sess_1' }] };
const ALONE = { type: 'deliverWebhook', args: [{ delivery_id: DELIVERY_ID }] };

/** Runs a workflow that delivers a webhook. Default: a session's workflow whose analysis has created the delivery. */
async function deliver(
  post: Post,
  { meanwhile, ...workflow }: Partial<WorkflowToRun> = {},
  way: Pick<WorkflowToRun, 'type' | 'args'> = IN_SESSION,
) {
  const posts: PostWebhookInput[] = [];
  const stops: unknown[] = [];
  const run = await runWorkflow({
    ...way,
    ...workflow,
    activities: {
      analyzeConversation: async () => ({ status: 'completed', delivery_id: DELIVERY_ID }),
      postWebhook: async (input) => {
        posts.push(input);
        return post(input);
      },
      stopDelivery: async (input) => void stops.push(input),
    },
    ...(meanwhile && { meanwhile }),
  });
  return {
    ...run,
    stops,
    attempts: posts.map(({ attempt }) => attempt),
    delays: delaysOf(run.history),
    steps: stepsOf(run.history),
    firedTimers: eventsOf(run.history).filter((event) => event.timerFiredEventAttributes).length,
    /** The values of the search attribute over time. */
    shown: (attribute: string) => valuesOf(run.history, attribute),
    ids: new Set(posts.map(({ delivery_id }) => delivery_id)),
    report: run.details.split('\n').filter((line) => line.startsWith('- ')),
  };
}

describe('The delivery of a webhook', () => {
  useWorkflowRuns();

  for (const failure of DELIVERY_FAILURES) {
    it(`§6.4 is retried after 30 s, 2 min and 10 min, and no more, if it fails with ${failure}`, async () => {
      const run = await deliver(failUntil(Infinity, failure));
      expect(run.attempts).to.deep.equal([1, 2, 3, 4]);
      expect(run.delays).to.deep.equal(DELAYS_MS);
      const waits = DELAYS_MS.flatMap(() => ['postWebhook', 'timer']);
      expect(run.steps.map(({ name }) => name)).to.deep.equal(['analyzeConversation', ...waits, 'postWebhook']);
      expect(run.ids).to.deep.equal(new Set([DELIVERY_ID]));
      expect(run.shown('DeliveryStatus')).to.deep.equal(['pending', 'failed']);
      expect(run.shown('SessionStatus').at(-1)).to.equal('completed');
      expect(run.status).to.equal('COMPLETED');
    });
  }

  for (const last of [1, 2, 3, 4]) {
    it(`§6.4 ends after the first success: attempt ${last}`, async () => {
      const run = await deliver(failUntil(last));
      expect(run.attempts).to.deep.equal([1, 2, 3, 4].slice(0, last));
      expect(run.delays).to.deep.equal(DELAYS_MS.slice(0, last - 1));
      expect(run.shown('DeliveryStatus')).to.deep.equal([...(last > 1 ? ['pending'] : []), 'delivered']);
    });
  }

  it('ends when an attempt finds the delivery stopped', async () => {
    const stopped: EndedAttempt = { status: 'stopped', failure: null, status_code: null };
    const run = await deliver(({ attempt }) => (attempt === 2 ? stopped : failed('dns', attempt)));
    expect([run.attempts, run.delays]).to.deep.equal([[1, 2], [30_000]]);
    expect(run.shown('DeliveryStatus')).to.deep.equal(['pending', 'stopped']);
    expect(run.status).to.equal('COMPLETED');
  });

  it('repeats a lost attempt with the same number, without a timer, until its result is recorded', async () => {
    let calls = 0;
    const run = await deliver(() => {
      if (++calls < 8) throw ApplicationFailure.retryable('the worker died', 'test');
      return succeeded;
    });
    expect([run.attempts, run.delays]).to.deep.equal([Array(8).fill(1), []]);
    expect(run.status).to.equal('COMPLETED');
  });

  it('names each attempt and each wait with its reason, and lists the attempts in the details', async () => {
    const kinds = ['http_status', 'timeout', 'redirect', 'connect'] as const;
    const run = await deliver(({ attempt }) => failed(kinds[attempt - 1]!, attempt));
    expect(run.steps.map(({ summary }) => summary)).to.deep.equal([
      'Language model',
      'Webhook attempt 1 of 4',
      'Retry 1 of 3 after HTTP 503',
      'Webhook attempt 2 of 4',
      'Retry 2 of 3 after timeout',
      'Webhook attempt 3 of 4',
      'Retry 3 of 3 after HTTP 302',
      'Webhook attempt 4 of 4',
    ]);
    expect(run.details).to.contain(DELIVERY_ID);
    expect(run.report).to.deep.equal(
      ['HTTP 503', 'timeout', 'HTTP 302', 'connect'].map((end, index) => `- Webhook attempt ${index + 1} of 4: ${end}`),
    );
  });

  it('is stopped when it is canceled, posts no more, and leaves the session completed', async () => {
    const run = await deliver(failUntil(), { meanwhile: cancelInFirstWait });
    expect(run.attempts).to.deep.equal([1]);
    expect(run.stops).to.deep.equal([{ delivery_id: DELIVERY_ID, reason: 'canceled' }]);
    expect(run.shown('DeliveryStatus')).to.deep.equal(['pending', 'stopped']);
    expect(run.steps.map(({ name }) => name)).not.to.include('endSession');
    expect([run.shown('SessionStatus').at(-1), run.status]).to.deep.equal(['completed', 'CANCELLED']);
  });

  it('writes the states of a first success together, in the last task of the workflow', async () => {
    const run = await deliver(() => ({ ...succeeded, host: 'a.example' }));
    expect(run.steps.map(({ name }) => name)).to.deep.equal(['analyzeConversation', 'postWebhook']);
    const shown = ['SessionStatus', 'DeliveryStatus', 'WebhookHost'].map(run.shown);
    expect(shown).to.deep.equal([['completed'], ['delivered'], ['a.example']]);
    const tasks = eventsOf(run.history).flatMap((event) => {
      const of = event.upsertWorkflowSearchAttributesEventAttributes ?? event.workflowExecutionCompletedEventAttributes;
      return of ? [Number(of.workflowTaskCompletedEventId)] : [];
    });
    expect(tasks).to.have.length(2);
    expect(tasks[0]).to.equal(tasks[1]);
  });

  it('continues after the recorded attempts', async () => {
    const args = [{ delivery_id: DELIVERY_ID, attempts_made: 2 }];
    const run = await deliver(failUntil(), {}, { ...ALONE, args });
    expect([run.attempts, run.delays]).to.deep.equal([[3, 4], DELAYS_MS.slice(2)]);
  });

  for (const [name, way] of [
    ["the session's workflow", IN_SESSION],
    ['a workflow of its own', ALONE],
  ] as const) {
    describe(`in ${name}`, () => {
      it('§6.4 follows the schedule, and shows the host and its change', async () => {
        const hosts = ['a.example', 'a.example', 'b.example:8443', 'b.example:8443'];
        const post: Post = ({ attempt }) => ({ ...failed('dns', attempt), host: hosts[attempt - 1]! });
        const run = await deliver(post, {}, way);
        expect([run.attempts, run.delays, run.status]).to.deep.equal([[1, 2, 3, 4], DELAYS_MS, 'COMPLETED']);
        expect(run.shown('WebhookHost').filter((host) => host !== 'a.example')).to.deep.equal(['b.example:8443']);
      });

      it('makes the next attempt immediately on retryNow, and ignores the same signal after that attempt', async () => {
        const meanwhile: Meanwhile = async (handle) => {
          await untilTimers(handle, 1);
          await handle.signal('retryNow', { attempt: 2 });
          await untilTimers(handle, 2);
          await handle.signal('retryNow', { attempt: 2 });
        };
        const run = await deliver(failUntil(3), { meanwhile }, way);
        expect([run.attempts, run.delays]).to.deep.equal([[1, 2, 3], DELAYS_MS.slice(0, 2)]);
        expect(run.firedTimers).to.equal(1);
      });

      it('applies retryNow without a number, as operators send it, to the next attempt', async () => {
        const meanwhile: Meanwhile = async (handle) => {
          await untilTimers(handle, 1);
          await handle.signal('retryNow');
        };
        const run = await deliver(failUntil(2), { meanwhile }, way);
        expect([run.attempts, run.firedTimers]).to.deep.equal([[1, 2], 0]);
      });

      const expectStopped = ({ stops, shown, status }: Awaited<ReturnType<typeof deliver>>) => {
        expect(stops).to.deep.equal([{ delivery_id: DELIVERY_ID, reason: 'requested' }]);
        expect([shown('DeliveryStatus').at(-1), status]).to.deep.equal(['stopped', 'COMPLETED']);
      };

      it('ends on stopDelivery, and shows that it is stopped', async () => {
        const meanwhile: Meanwhile = async (handle) => {
          await untilTimers(handle, 1);
          await handle.signal('stopDelivery');
        };
        const run = await deliver(failUntil(), { meanwhile }, way);
        expect(run.attempts).to.deep.equal([1]);
        expectStopped(run);
      });

      it('repeats an attempt that found no slot, without a timer or a line in the details', async () => {
        let calls = 0;
        const post = () => {
          if (++calls < 8) throw busy();
          return succeeded;
        };
        const run = await deliver(post, {}, way);
        expect([run.attempts, run.delays]).to.deep.equal([Array(8).fill(1), []]);
        expect(run.report).to.deep.equal(['- Webhook attempt 1 of 4: delivered']);
      });

      it('ends on stopDelivery while an attempt waits for a slot', async () => {
        const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
        const post = () => {
          refuse();
          throw busy();
        };
        const meanwhile: Meanwhile = async (handle) => {
          await refused;
          await handle.signal('stopDelivery');
        };
        expectStopped(await deliver(post, { server: 'dev', meanwhile }, way));
      });

      it('completes an attempt that runs during stopDelivery, and counts its success', async () => {
        const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
        const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
        const post = async () => {
          begin();
          await stopped;
          return succeeded;
        };
        const meanwhile: Meanwhile = async (handle) => {
          await begun;
          await handle.signal('stopDelivery');
          stop();
        };
        const run = await deliver(post, { server: 'dev', meanwhile }, way);
        expect([run.stops, run.shown('DeliveryStatus').at(-1)]).to.deep.equal([[], 'delivered']);
        expect(run.status).to.equal('COMPLETED');
      });
    });
  }
});
