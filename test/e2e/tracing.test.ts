import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import {
  addAssistant,
  newDirectory,
  register,
  removeDirectories,
  START_TIMEOUT_MS,
  startService,
} from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
}

interface Traces {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

const SAID = 'parcel-of-the-client';
const PROMPT = 'prompt-of-the-operator';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('Traces and metrics of a started service', () => {
  let collector: Receiver;
  let service: TestService;
  let token: string;
  let assistantId: string;
  before(async function () {
    this.timeout(0);
    collector = await startReceiver((response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    );
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', METRICS_PORT: '0' };
    service = await startService(newDirectory(), env);
    ({ token } = await register(service));
    ({ id: assistantId } = await addAssistant(service, token, { system_prompt: PROMPT }));
  });
  after(async function () {
    this.timeout(START_TIMEOUT_MS);
    await service.stop();
    await collector.stop();
    removeDirectories();
  });

  const submit = (said: string, trace: string) =>
    send(service, submitTextRequest, {
      token,
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      body: { assistant_id: assistantId, conversation: [{ role: 'client', text: said }] },
    });

  const sent = () => collector.requests.map(({ body }) => body.toString());

  const spansOf = (trace: string) =>
    sent()
      .flatMap((text) => (JSON.parse(text) as Traces).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .filter(({ traceId }) => traceId === trace);

  /** Names from the outermost span to this one. */
  function pathOf(span: Span | undefined, spans: Span[]): string[] {
    if (!span) return [];
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return [...pathOf(parent, spans), span.name];
  }

  it("traces lead from the caller's request through the workflow and its activity into the call to the vendor", async () => {
    expect((await submit(SAID, TRACE)).status).to.equal(200);
    const spans = await eventually(
      () => spansOf(TRACE),
      (found) =>
        ['submitTextRequest', 'RunWorkflow:analyzeSession'].every((name) => found.some((one) => one.name === name)),
    );
    const call = spans.find(({ name }) => name === 'openai analysis');
    expect(pathOf(call, spans)).to.deep.equal([
      'submitTextRequest',
      'StartWorkflow:analyzeSession',
      'RunWorkflow:analyzeSession',
      'StartActivity:analyzeConversation',
      'RunActivity:analyzeConversation',
      'openai analysis',
    ]);
    expect(spans.find(({ name }) => name === 'submitTextRequest')?.parentSpanId).to.equal('00f067aa0ba902b7');
  });

  it('traces hold nothing that was said, asked or answered, also of what failed', async () => {
    const trace = TRACE.replace('4', '5');
    expect((await submit(`${SAID} [vendor status=401]`, trace)).status).to.equal(502);
    await eventually(
      () => spansOf(trace),
      (found) => found.some(({ name }) => name === 'RunWorkflow:analyzeSession'),
    );
    for (const text of sent()) {
      for (const secret of [SAID, PROMPT, token, 'Bearer', 'exception']) expect(text).not.to.contain(secret);
    }
  });

  it("metrics are on one port, with those of Temporal's SDK among them", async () => {
    const text = await (await fetch(service.endpoints.metrics_url ?? '')).text();
    expect(text).to.match(/^cas_sessions\{status="queued"\} 0$/m);
    expect(text).to.match(/^temporal_worker_task_slots_available\{.*worker_type="ActivityWorker".*\} \d+$/m);
    expect(text).to.match(/^temporal_request(_total)?\{/m);
  });
});
