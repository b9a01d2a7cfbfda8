import { readdirSync, readFileSync } from 'node:fs';
import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { expect } from 'chai';
import { parseHistory } from '../support/history.ts';
import { workflowBundle } from '../support/workflow-runs.ts';

const DIRECTORY = new URL('./histories/', import.meta.url);

/** One history for every path through the workflows. record-histories.ts records them. */
const NAMES = [
  'batch',
  'canceled',
  'canceled-while-queued',
  'completed-without-webhook',
  'delivered-at-first-attempt',
  'delivered-at-third-attempt',
  'failed-analysis',
  'failed-delivery',
  'hastened-delivery',
  'outage',
  'redelivery',
  'stopped-delivery',
  'voice-delivered',
  'voice-failed-transcription',
];

/** Paths of the histories of all supported releases and of the next one. */
const HISTORIES = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort();

const read = (path: string) => readFileSync(new URL(path, DIRECTORY), 'utf8');

/** Replays histories with one worker. Returns the error of each, by its path. */
async function replay(histories: Record<string, string>): Promise<Map<string, unknown>> {
  const named = Object.entries(histories).map(([workflowId, text]) => ({ workflowId, history: parseHistory(text) }));
  const results = Worker.runReplayHistories({ workflowBundle: await workflowBundle() }, named);
  const errors = new Map<string, unknown>();
  for await (const { workflowId, error } of results) errors.set(workflowId, error);
  return errors;
}

describe('Workflows that started before a change of the code', () => {
  let errors: Map<string, unknown>;
  before(async function () {
    this.timeout(0);
    errors = await replay(Object.fromEntries(HISTORIES.map((path) => [path, read(path)])));
  });

  // A replay hooks all promises of this process, which would slow the files that follow.
  after(() => globalHandlers.uninstall());

  it('are recorded for every path', () => {
    const stored = HISTORIES.map((path) => path.replace(/^.*\/(.*)\.json$/, '$1'));
    expect([...new Set(stored)]).to.have.members(NAMES);
  });

  for (const path of HISTORIES) {
    it(`continue with the current code: ${path}`, () => {
      expect([...errors.keys()]).to.include(path);
      expect(errors.get(path)).to.equal(undefined);
    });
  }

  it('fail with a history of another activity', async () => {
    const [path = ''] = HISTORIES.filter((each) => each.endsWith('delivered-at-first-attempt.json'));
    const changed = read(path).replaceAll('"analyzeConversation"', '"anotherActivity"');
    expect((await replay({ changed })).get('changed')).to.be.instanceOf(DeterminismViolationError);
  });
});
