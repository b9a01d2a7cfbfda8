import { expect } from 'chai';
import { newDirectory, removeDirectories, START_TIMEOUT_MS, startService } from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';

describe('Metrics of a started service', () => {
  let service: TestService;
  before(async function () {
    this.timeout(0);
    service = await startService(newDirectory(), { METRICS_PORT: '0' });
  });
  after(async function () {
    this.timeout(START_TIMEOUT_MS);
    await service.stop();
    removeDirectories();
  });

  it("are on one port, with those of Temporal's SDK among them", async () => {
    const text = await (await fetch(service.endpoints.metrics_url ?? '')).text();
    expect(text).to.match(/^cas_sessions\{status="queued"\} 0$/m);
    expect(text).to.match(/^temporal_worker_task_slots_available\{.*worker_type="ActivityWorker".*\} \d+$/m);
    expect(text).to.match(/^temporal_request(_total)?\{/m);
  });
});
