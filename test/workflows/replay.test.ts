import { readdirSync, readFileSync } from 'node:fs';
import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { parseHistory } from '../support/history.ts';
import { workflowBundle } from '../support/workflow-runs.ts';

const DIRECTORY = new URL('./histories/', import.meta.url);

/** Every way through the workflows of sessions and deliveries. Recorded by record-histories.ts. */
const NAMES = [
  'batch',
  'canceled',
  'completed-without-webhook',
  'delivered-at-first-attempt',
  'delivered-at-third-attempt',
  'failed-analysis',
  'failed-delivery',
  'hastened-delivery',
  'redelivery-of-many',
  'redelivery',
  'stopped-delivery',
  'voice-delivered',
  'voice-failed-transcription',
  'waited-for-a-slot',
];

/** The histories of every release whose runs may still be open, and of the one in the making, by their paths. */
const HISTORIES = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort();

const read = (path: string) => readFileSync(new URL(path, DIRECTORY), 'utf8');

/** Returns what each history's replay broke with, by its path; all are replayed by one worker. */
async function replay(histories: Record<string, string>): Promise<Map<string, unknown>> {
  const named = Object.entries(histories).map(([workflowId, text]) => ({ workflowId, history: parseHistory(text) }));
  const results = Worker.runReplayHistories({ workflowBundle: await workflowBundle() }, named);
  const errors = new Map<string, unknown>();
  for await (const { workflowId, error } of results) errors.set(workflowId, error);
  return errors;
}

describe('runs that began before the workflows were changed', () => {
  let errors: Map<string, unknown>;
  before(async function () {
    this.timeout(0);
    errors = await replay(Object.fromEntries(HISTORIES.map((path) => [path, read(path)])));
  });

  it('are stored for every way through', () => {
    const stored = HISTORIES.map((path) => path.replace(/^.*\/(.*)\.json$/, '$1'));
    expect([...new Set(stored)]).to.have.members(NAMES);
  });

  for (const path of HISTORIES) {
    it(`go on with the workflows as they are now: ${path}`, () => {
      expect([...errors.keys()]).to.include(path);
      expect(errors.get(path)).to.equal(undefined);
    });
  }

  it('would be seen to break: a history that asked for another activity does not pass', async () => {
    const [path = ''] = HISTORIES.filter((each) => each.endsWith('delivered-at-first-attempt.json'));
    const changed = read(path).replaceAll('"analyzeConversation"', '"anotherActivity"');
    expect((await replay({ changed })).get('changed')).to.be.instanceOf(DeterminismViolationError);
  });
});
