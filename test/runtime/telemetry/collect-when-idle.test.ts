import { collectWhenIdle } from '../../../runtime/telemetry/collect-when-idle.ts';
import { requestEnded, sessionEnded } from '../../../runtime/telemetry/events.ts';
import { eventually } from '../../support/eventually.ts';

describe('Garbage of an idle process', () => {
  let collected = 0;
  let stop: () => void;
  beforeEach(() => (collected = 0));
  afterEach(() => stop());

  it('is collected once after work, and again after more of it; probes are no work', async () => {
    stop = collectWhenIdle(() => (collected += 1), 20);
    requestEnded.tell({ operation: undefined, status: 200, durationMs: 1 });
    for (const times of [1, 2]) {
      sessionEnded.tell({ status: 'completed' });
      requestEnded.tell({ operation: 'listSessions', status: 200, durationMs: 1 });
      await eventually(
        () => collected,
        (count) => count === times,
      );
    }
  });

  it('is collected by the means that a plain process has', async () => {
    let isCollected = false;
    const registry = new FinalizationRegistry(() => (isCollected = true));
    registry.register({}, undefined);
    stop = collectWhenIdle(undefined, 1);
    await eventually(
      () => {
        if (!isCollected) sessionEnded.tell({ status: 'completed' });
        return isCollected;
      },
      (is) => is,
    );
  });
});
