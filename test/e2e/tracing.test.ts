import { expect } from 'chai';
import { submitTextRequest } from '../../contract/requests.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { newFolder } from '../support/new-folder.ts';
import { addAssistant, register, startService } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';

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
  const collector = useStarted(() =>
    startReceiver((response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')),
  );
  const service = useStarted(() => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', METRICS_PORT: '0' };
    return startService(newFolder(), env);
  });
  let token: string;
  let assistantId: string;
  before(async function () {
    this.timeout(0);
    ({ token } = await register(service));
    ({ id: assistantId } = await addAssistant(service, token, { system_prompt: PROMPT }));
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

  it("traces connect the client's request with the workflow, the activity and the provider call", async () => {
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

  it('traces contain no conversation, prompt or result, also after a failure', async () => {
    const trace = TRACE.replace('4', '5');
    expect((await submit(`${SAID} [provider status=401]`, trace)).status).to.equal(502);
    await eventually(
      () => spansOf(trace),
      (found) => found.some(({ name }) => name === 'RunWorkflow:analyzeSession'),
    );
    for (const text of sent()) {
      for (const secret of [SAID, PROMPT, token, 'Bearer', 'exception']) expect(text).not.to.contain(secret);
    }
  });

  it("metrics include those of Temporal's SDK on the same port", async () => {
    const text = await (await fetch(service.endpoints.metrics_url ?? '')).text();
    expect(text).to.match(/^cas_sessions\{status="queued"\} 0$/m);
    expect(text).to.match(/^temporal_worker_task_slots_available\{.*worker_type="ActivityWorker".*\} \d+$/m);
    expect(text).to.match(/^temporal_request(_total)?\{/m);
  });
});
