import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { WebhookPayloadSchema } from '../../contract/sessions/deliveries.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { delaysOf, printHistory, type History } from '../support/history.ts';
import { startReceiver } from '../support/receiver.ts';
import { newFolder } from '../support/new-folder.ts';
import { addAssistant, register, startService } from '../support/started-service.ts';
import { useStarted } from '../support/use-started.ts';

const FIRST_DELAY_MS = 30_000;
/** For a busy machine to store the response. The next delay is two minutes. */
const TOLERANCE_MS = 10_000;

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

describe('The whole service, from the request to the webhook', () => {
  const directory = newFolder();
  const collector = useStarted(() =>
    startReceiver((response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')),
  );
  const service = useStarted(() => {
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', METRICS_PORT: '0' };
    return startService(directory, { LOG_LEVEL: 'debug', ...tracing });
  });
  const receiver = useStarted(() =>
    startReceiver((response, { path, headers }) => {
      const isRefused = path === '/fails-once' && headers['x-webhook-attempt'] === '1';
      response.writeHead(isRefused ? 500 : 200, isRefused ? { 'Retry-After': '1' } : {}).end();
    }),
  );
  let token: string;
  before(async () => {
    ({ token } = await register(service));
  });

  /** Submits a conversation with its own webhook path. */
  async function submit(
    path: string,
    fields: { webhook_secret?: string; system_prompt?: string } = {},
    text = 'Hello.',
  ) {
    const assistant = await addAssistant(service, token, { webhook_url: receiver.url + path, ...fields });
    const conversation = [
      { role: 'operator', text: 'Good morning, how can I help?' },
      { role: 'client', text },
    ];
    const body = { assistant_id: assistant.id, conversation };
    return send(service, 'submitTextRequest', { token, body });
  }

  const received = (path: string, count = 1, timeoutMs?: number) =>
    eventually(
      () => receiver.requests.filter((request) => request.path === path),
      (requests) => requests.length >= count,
      timeoutMs,
    );

  it('§6.2 §6.3 posts exactly the fields and headers of the specification, with the secret as a Bearer token', async () => {
    const { body: session } = await submit('/post', { webhook_secret: 'a-secret-of-the-receiver' });
    const [request] = await received('/post');
    const payload: unknown = JSON.parse(request!.body.toString());
    const { session_id, assistant_id, summary_text, raw_response, total_cost, created_at } = session;
    expect(WebhookPayloadSchema.parse(payload)).to.deep.equal(payload);
    expect(payload).to.deep.equal({
      event: 'session.completed',
      status: 'completed',
      session_id,
      assistant_id,
      summary_text,
      raw_response,
      total_cost,
      created_at,
    });
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(request).to.include({ method: 'POST' });
    expect(request!.headers).to.include({
      'content-type': 'application/json',
      authorization: 'Bearer a-secret-of-the-receiver',
      'x-webhook-event': 'session.completed',
      'x-webhook-delivery': session.delivery!.delivery_id,
    });
  });

  it('protects its files from other users of the machine, including the logs of its servers', () => {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    /** Returns whether other users can enter each parent folder of a file. */
    const isOpen = (file: string): boolean => {
      const folder = dirname(file);
      return folder === '.' || ((statSync(join(directory, folder)).mode & 0o001) !== 0 && isOpen(folder));
    };
    const shown = files.filter((file) => {
      const { mode } = lstatSync(join(directory, file));
      return (mode & 0o044) !== 0 && isOpen(file) && !file.endsWith('.pid');
    });
    expect(shown).to.deep.equal([]);
  });

  it('§6.4 posts the same bytes with the same delivery ID 30 seconds after a 500', async () => {
    const { body: session } = await submit('/fails-once', { webhook_secret: 'a-secret-of-the-receiver' });
    const params = { id: session.delivery!.delivery_id };
    const read = async () => (await send(service, 'getDelivery', { token, params })).body;
    const { attempts } = await eventually(read, (delivery) => delivery.attempts[0]?.next_attempt_at != null);
    const { started_at, duration_ms, next_attempt_at } = attempts[0]!;
    const waitMs = Date.parse(next_attempt_at!) - Date.parse(started_at) - duration_ms!;
    expect(waitMs).to.be.closeTo(FIRST_DELAY_MS, TOLERANCE_MS);
    // test/workflows/deliver-webhook.test.ts tests that the timer fires.
    await eventually(
      async () => delaysOf(await readHistory(session.session_id)),
      (delays) => delays.some((delayMs) => Math.abs(delayMs - FIRST_DELAY_MS) <= 1_000),
    );
    await send(service, 'retryDeliveryNow', { token, params });

    const [first, second] = await received('/fails-once', 2);
    expect(second!.body.equals(first!.body)).to.equal(true);
    expect(second!.headers['x-webhook-delivery']).to.equal(first!.headers['x-webhook-delivery']);
    expect([first, second].map((request) => request!.headers['x-webhook-attempt'])).to.deep.equal(['1', '2']);
    const delivery = await eventually(read, ({ status }) => status === 'delivered');
    expect(delivery.attempts.map(({ status_code }) => status_code)).to.deep.equal([500, 200]);
  });

  /** Returns the history of a workflow, after its end if `isEnded`. */
  async function readHistory(workflowId: string, { isEnded = false } = {}): Promise<History> {
    const connection = await Connection.connect({ address: service.endpoints.temporal_address });
    try {
      const { workflow } = new Client({ connection, namespace: service.endpoints.temporal_namespace });
      const handle = workflow.getHandle(workflowId);
      if (isEnded) await handle.result().catch(() => undefined);
      return await handle.fetchHistory();
    } finally {
      await connection.close();
    }
  }

  describe('does not reveal', () => {
    // Random words, which can occur only if they leaked.
    const words = { prompt: randomUUID(), turn: randomUUID(), secret: randomUUID() };

    const historyOf = async (workflowId: string) => printHistory(await readHistory(workflowId, { isEnded: true }));

    /** Returns the logs of the service and its servers. */
    function readLogs(): string {
      const folder = join(directory, 'run');
      const files = readdirSync(folder).filter((file) => file.endsWith('.log'));
      return [service.output(), ...files.map((file) => readFileSync(join(folder, file), 'utf8'))].join('\n');
    }

    const fields = { system_prompt: `Look for ${words.prompt}.`, webhook_secret: words.secret };

    it('prompt, turns, result or secret of a completed session in the history or a log', async () => {
      const { body: session } = await submit('/private', fields, `The word is ${words.turn}.`);
      await received('/private');
      expect(session.summary_text).to.contain(words.turn);
      const history = await historyOf(session.session_id);
      expect(history, 'the input is readable').to.contain(String.raw`\"session_id\":\"${session.session_id}\"`);
      const findings = (session.raw_response as { findings: { name: string }[] }).findings.map(({ name }) => name);
      expect(findings).to.include('words by operator');
      const secrets = [...Object.values(words), session.summary_text!, 'words by operator'];
      for (const text of secrets) {
        expect(history).not.to.contain(text);
        expect(readLogs()).not.to.contain(text);
      }
    });

    it('prompt, turns or secret of a failed session, or the error text of the provider', async () => {
      const answer = await submit('/private-failed', fields, `The word is ${words.turn}. [provider status=400]`);
      const id = (answer.problem as { session_id?: string }).session_id!;
      const { body: session } = await send(service, 'getSession', { token, params: { id } });
      expect(session.status).to.equal('failed');
      const history = await historyOf(id);
      expect(history).to.contain(id).and.to.contain('bad_input');
      for (const text of [...Object.values(words), 'asked for by a directive']) {
        expect(history).not.to.contain(text);
        expect(readLogs()).not.to.contain(text);
      }
    });
  });

  describe('sends traces and metrics:', () => {
    let assistantId: string;
    before(async () => {
      ({ id: assistantId } = await addAssistant(service, token, { system_prompt: PROMPT }));
    });

    const submitTraced = (said: string, trace: string) =>
      send(service, 'submitTextRequest', {
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
      expect((await submitTraced(SAID, TRACE)).status).to.equal(200);
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
      expect((await submitTraced(`${SAID} [provider status=401]`, trace)).status).to.equal(502);
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
});
