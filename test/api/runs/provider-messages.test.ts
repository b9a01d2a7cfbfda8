/** What a provider said about a call that it refused: who reads it, and every way on which it must not leave. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { strFromU8, unzipSync } from 'fflate';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { API_BASE } from '../../../contract/values/constants.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { installationSources } from '../../../db/queries/queue.ts';
import { startMetrics } from '../../../runtime/telemetry/metrics.ts';
import { send, testConfig } from '../../support/api.ts';
import { useConnections } from '../../support/database.ts';
import { answerJson } from '../../activities/providers/fake-provider.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { exampleParams } from '../../support/example-params.ts';
import { createBatch, createCall, createOwner, createSession, says } from '../../support/factories.ts';
import { printHistory } from '../../support/history.ts';
import { recordedLog } from '../../support/log.ts';
import { logInAs } from '../../support/members.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTestService } from '../../support/service.ts';
import { createSessionOwner } from '../../support/sessions.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { untilWorkflowEnds, workflowOf } from '../../support/temporal.ts';
import { useStarted } from '../../support/use-started.ts';

/** It occurs nowhere else, so a match shows a leak. */
const MARK = 'marked-sentence-of-the-provider';
const SAID = `${MARK}:\u0000 the key sk-own-key-1 of\r\n"My parcel" is wrong. ${'x'.repeat(600)}`;
const SHOWN = `${MARK}: the key *** of "My parcel" is wrong. ${'x'.repeat(600)}`.slice(0, 500);

/** The responses that show it: to readers of the conversation, and in the export of one person's data. */
const READS = ['exportCurrentUser', 'getSession', 'getSessionTimeline'];

describe('What a provider said about a refused call', () => {
  const { log, text } = recordedLog();
  useConnections();
  const refuse = answerJson(400, { error: { message: SAID, type: 'invalid_request_error', code: null } });
  const provider = useStarted(() => startReceiver(refuse));
  const service = useStarted(() =>
    startTestService({
      env: { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-own-key-1', SHARED_LINKS: 'true' },
      log,
    }),
  );

  it('is shown to those who may read the conversation, without control characters and our key, and leaves on no other way', async function () {
    this.timeout(120_000);
    const { api } = service;
    const webhooks = await stopAfterTest(startReceiver());
    const webhook = { webhook_url: webhooks.url, webhook_events: ['session.failed' as const] };
    const owner = await createOwner(webhook);
    const { token, assistant } = owner;
    const stream = await openEventStream(api, { Authorization: `Bearer ${token}` });
    const { token: page } = (
      await send(api, 'createKey', { token, body: { name: 'Page', scopes: ['requests:write', 'sessions:own'] } })
    ).body;

    const body = { assistant_id: assistant.id, conversation: says('My parcel is late.') };
    const refused = await send(api, 'submitTextRequest', { token: page, body });
    expect([refused.status, JSON.stringify(refused.problem).includes(MARK)]).to.deep.equal([502, false]);
    const id = refused.problem.session_id ?? '';
    const { error } = (await send(api, 'getSession', { token: page, params: { id } })).body;
    expect(error).to.include({ code: 'bad_input', provider_message: SHOWN });
    const { data } = (await send(api, 'getSessionTimeline', { token, params: { id } })).body;
    expect(data.find(({ kind }) => kind === 'call')?.error).to.include({ provider_message: SHOWN });

    await webhooks.until(1);
    await untilWorkflowEnds(id);
    await eventually(() => stream.events.filter(({ event }) => event === 'session').length >= 2, true);
    stream.close();
    const { id: batch } = await createBatch(owner.workspaceId);
    await SessionModel.query().findById(id).patch({ batch_id: batch });
    const person = await logInAs(owner.user);
    const metrics = await stopAfterTest(startMetrics(testConfig({ METRICS_PORT: '0' }).metrics, installationSources));
    const agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/api/mcp`), { requestInit }));
    const parts = ['summary', 'conversation'];
    const workspace = owner.workspaceId;
    const share = (await send(api, 'createShare', { token: person, workspace, body: { session_id: id, parts } })).body;
    const ways: Record<string, string> = {
      log: text(),
      temporal: printHistory(await (await workflowOf(id)).fetchHistory()),
      metrics: await (await fetch(metrics.url ?? '')).text(),
      webhook: webhooks.requests.map((request) => request.body.toString()).join(),
      events: JSON.stringify(stream.events),
      share: JSON.stringify((await send(api, 'openShare', { body: { token: share.token } })).body),
      agent: JSON.stringify(await agent.callTool({ name: 'search_sessions', arguments: {} })),
      rest: JSON.stringify(await SessionModel.query().findById(id)),
    };
    await agent.close();
    const ids = { sess: id, bat: batch, asst: assistant.id };
    for (const endpoint of ENDPOINTS.filter(
      ({ method, operationId }) => method === 'get' && operationId !== 'streamEvents',
    )) {
      const params: Record<string, string> = {
        ...exampleParams(endpoint, ids),
        ...(endpoint.path.includes('call_id') && { call_id: 'analysis-1' }),
      };
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const queries = endpoint.operationId === 'exportSessions' ? ['format=csv', 'format=jsonl', 'format=zip'] : [''];
      for (const query of queries) {
        const response = await fetch(`${api.url}${API_BASE}${path}?${query}`, requestInit);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const isZip = response.headers.get('content-type') === 'application/zip';
        ways[[endpoint.operationId, query].filter(Boolean).join(' ')] = isZip
          ? Object.values(unzipSync(bytes))
              .map((file) => strFromU8(file))
              .join()
          : strFromU8(bytes);
      }
    }
    expect(ways['listSessions']).to.contain(id);
    expect(ways['exportSessions format=zip']).to.contain(id);
    expect(
      Object.keys(ways)
        .filter((way) => ways[way]?.includes(MARK))
        .sort(),
    ).to.deep.equal(READS);
    expect(ways['exportCurrentUser']?.split(MARK)).to.have.length(3);
  });

  it('is erased with the session, whoever deletes it, and not stored afterwards', async () => {
    const owner = await createSessionOwner(() => service.api);
    const session = await createSession(owner.assistant, { status: 'analyzing' });
    await createCall(session, { status: 'failed', provider_message: MARK, cost_usd: 1 });
    await createCall(session, { status: 'running', attempt: 2 });
    const key = { session_id: session.id, step: 'analysis', attempt: 2 } as const;
    // As an earlier release does, which does not know the column.
    await SessionModel.knex().raw('delete from sessions where id = ?', [session.id]);
    await ProviderCallModel.close(key, { status: 'failed', provider_message: MARK });
    const calls = await ProviderCallModel.query().where({ session_id: session.id }).orderBy('attempt');
    expect(calls.map(({ provider_message, cost_usd }) => [provider_message, cost_usd])).to.deep.equal([
      [null, 1],
      [null, null],
    ]);
  });

  it('is that of the call which failed the session: none of an earlier run, and none after a success', async () => {
    const owner = await createSessionOwner(() => service.api);
    const failed = {
      code: 'unavailable',
      stage: 'analysis',
      provider: 'openai',
      message: 'm',
      retryable: true,
    } as const;
    const ended = { status: 'failed' as const, completed_at: new Date(), error: failed };
    const read = async (fields: object, calls: Partial<ProviderCallModel>[]) => {
      const session = await createSession(owner.assistant, { ...ended, queued_at: new Date(1_000_000), ...fields });
      for (const [index, call] of calls.entries())
        await createCall(session, { attempt: index + 1, started_at: new Date(2_000_000), status: 'failed', ...call });
      return (await owner.read(session.id)).error?.provider_message;
    };
    const early = { started_at: new Date(500_000), provider_message: 'early' };
    expect(await read({}, [{ provider_message: 'first' }, { provider_message: 'second' }])).to.equal('second');
    expect(await read({}, [early])).to.equal(null);
    expect(await read({}, [{ provider_message: 'no' }, { provider: 'anthropic' }])).to.equal('no');
    expect(await read({ error: { ...failed, provider: null } }, [{ provider_message: 'no' }])).to.equal(null);
    expect(await read({ error: null, status: 'completed' }, [{ provider_message: 'no' }])).to.equal(undefined);
  });
});
