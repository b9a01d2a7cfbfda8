import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { ApiError } from 'conversation-analysis-client';
import { listen } from '../../clients/listen/listen.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { createSecretBox } from '../../runtime/secrets/secrets.ts';
import { send, testConfig } from '../support/api.ts';
import { errorOf } from '../support/error-of.ts';
import { eventually } from '../support/eventually.ts';
import { createOwner, says } from '../support/factories.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { useSharedService } from '../support/shared-service.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const SECRET = 'a-secret-of-the-consumer';

describe('npm run listen', () => {
  const service = useSharedService();
  let token: string;
  let assistant: AssistantModel;
  let [remote, local]: Receiver[] = [];
  let proxy: TcpProxy;
  let lines: string[];
  beforeEach(async () => {
    [remote, local] = [await stopAfterTest(startReceiver()), await stopAfterTest(startReceiver())];
    proxy = await stopAfterTest(startTcpProxy({ port: Number(new URL(service.api.url).port) }));
    ({ token, assistant } = await createOwner({ webhook_url: `${remote.url}/hook` }));
    const webhook_secret = createSecretBox(testConfig().encryptionKeys).seal(SECRET, assistant.id);
    await assistant.$query().patch({ webhook_secret });
    lines = [];
  });

  /** Starts the command. It stops at the end of the test. */
  async function start(given: { secret?: string; since?: string } = {}): Promise<void> {
    const stop = new AbortController();
    const api = `http://127.0.0.1:${proxy.port}/api`;
    const options = { api, token, secret: undefined, since: undefined, assistant: undefined, ...given };
    const ended = listen({
      ...options,
      forward: `${local!.url}/local`,
      print: (line) => lines.push(line),
      signal: stop.signal,
    });
    await stopAfterTest(Promise.resolve({ stop: () => (stop.abort(), ended) }));
    await eventually(() => lines.length, 1);
  }

  async function submit(): Promise<string> {
    const body = { assistant_id: assistant.id, conversation: says('Hello.'), metadata: { call_id: 'c-1' } };
    return (await send(service.api, 'submitTextRequest', { token, body })).body.session_id;
  }

  it('forwards the bytes and headers of each new delivery once, with a signature that the receiver can verify', async () => {
    await submit();
    await remote!.until(1);
    await start({ secret: SECRET });
    const session = await submit();
    await Promise.all([local!.until(1), remote!.until(2)]);
    const [, original] = remote!.requests;
    const [{ path, body, headers }] = local!.requests as [Receiver['requests'][0]];
    expect([path, body.toString()]).to.deep.equal(['/local', original?.body.toString()]);
    const names = Object.keys(original?.headers ?? {}).filter((name) => /^(x-)?webhook|^auth|^content-t/.test(name));
    expect(headers).to.include.all.keys(names);
    for (const name of names.filter((each) => !/signature|timestamp/.test(each)))
      expect(headers[name], name).to.equal(original?.headers[name]);
    new Webhook(SECRET, { format: 'raw' }).verify(body, headers as Record<string, string>);
    const { id } = await DeliveryModel.query().findOne({ session_id: session }).throwIfNotFound();
    await send(service.api, 'redeliver', { token, params: { id } });
    await local!.until(2);
    expect(local!.requests[1]?.headers['x-webhook-replayed-from']).to.equal(id);
    await eventually(() => lines.length, 3);
    expect(lines).to.include(`session.completed ${session} (${id}): HTTP 200`);
  });

  it('forwards what was delivered while its connection was lost, and since a moment', async () => {
    await submit();
    await start({ since: new Date(Date.now() - 60_000).toISOString() });
    await local!.until(1);
    await proxy.refuse();
    await eventually(() => lines.some((line) => line.includes('lost')), true);
    await submit();
    await remote!.until(2);
    await proxy.pass();
    await local!.until(2);
    const ids = local!.requests.map(({ headers }) => headers['x-webhook-delivery']);
    expect(ids).to.deep.equal(remote!.requests.map(({ headers }) => headers['x-webhook-delivery']));
    // Without the secret: the original signature.
    const { body, headers } = local!.requests[1]!;
    new Webhook(SECRET, { format: 'raw' }).verify(body, headers as Record<string, string>);
    expect(headers).not.to.have.property('authorization');
  });

  it('reports a receiver that does not respond, continues, and ends if the token is refused', async () => {
    await start();
    await local!.stop();
    await submit();
    await eventually(() => lines.length, 2);
    expect(lines[1]).to.include('no response').and.to.include('Redeliver it');
    const refused = listen({
      ...{ api: `${service.api.url}/api`, token: 'wrong', secret: undefined, forward: local!.url, since: undefined },
      ...{ assistant: undefined, print: () => undefined, signal: new AbortController().signal },
    });
    expect(await errorOf(refused)).to.be.instanceOf(ApiError);
  });

  it('explains its options, and names what is wrong with them', async () => {
    const program = fileURLToPath(new URL('../../clients/listen/main.ts', import.meta.url));
    const run = (args: string[], env = {}) =>
      new Promise<[code: unknown, text: string]>((resolve) => {
        execFile(
          process.execPath,
          [program, ...args],
          { env: { ...process.env, API_TOKEN: '', ...env } },
          (error, out, errors) => resolve([error?.code ?? 0, out + errors]),
        );
      });
    const cases: [string[], object, number, string][] = [
      [['--help'], {}, 0, 'Usage: npm run listen'],
      [['--forward', local!.url], {}, 2, 'API_TOKEN is not set'],
      [[], { API_TOKEN: 'x' }, 2, '"" is not a URL'],
      [['--forward', local!.url, '--since', 'noon'], { API_TOKEN: 'x' }, 2, '"noon" is not a time'],
      [['--unknown'], {}, 2, 'See --help.'],
    ];
    for (const [args, env, code, text] of cases) {
      const [ended, output] = await run(args, env);
      expect([ended, output.includes(text)], output).to.deep.equal([code, true]);
    }
  });
});
