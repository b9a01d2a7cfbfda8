import { Client } from '@temporalio/client';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { SEARCH_ATTRIBUTES } from '../../../contract/workflows.ts';
import { connectTemporalLater, ensureSearchAttributes, type Temporal } from '../../../runtime/temporal/connect.ts';
import { startSession } from '../../../runtime/temporal/start.ts';
import { errorOf } from '../../support/error-of.ts';
import { eventually } from '../../support/eventually.ts';
import { recordedLog, silentLog } from '../../support/log.ts';
import { createNamespace, testTemporal } from '../../support/temporal.ts';

const DENIED = Object.assign(new Error('7 PERMISSION_DENIED: Request unauthorized.'), {
  code: 7,
  details: 'Request unauthorized.',
  metadata: {},
});

const deny = () => Promise.reject(DENIED);
const list = (names: readonly string[]) => () =>
  Promise.resolve({ customAttributes: Object.fromEntries(names.map((name) => [name, 2])) });

describe('A worker without the permission', () => {
  async function ensure(operatorService: object) {
    const { log, find } = recordedLog();
    const temporal = { connection: { operatorService }, namespace: 'calls' } as unknown as Temporal;
    const error: unknown = await ensureSearchAttributes(temporal, log).catch((thrown: unknown) => thrown);
    return { error, warnings: find('may not be listed') };
  }

  it('to list search attributes starts, and logs the names that workflows need', async () => {
    const { error, warnings } = await ensure({ listSearchAttributes: deny, addSearchAttributes: deny });
    expect(error).to.equal(undefined);
    expect(warnings[0]?.['expected']).to.deep.equal(SEARCH_ATTRIBUTES);
  });

  it('to create search attributes starts if they exist, and names exactly the missing ones otherwise', async () => {
    const all = await ensure({ listSearchAttributes: list(SEARCH_ATTRIBUTES), addSearchAttributes: deny });
    expect([all.error, all.warnings]).to.deep.equal([undefined, []]);
    const [first, ...others] = SEARCH_ATTRIBUTES;
    const { error } = await ensure({ listSearchAttributes: list(others), addSearchAttributes: deny });
    expect(error).to.include({ name: 'StartError' });
    expect((error as Error).message)
      .to.contain(`lacks the search attributes ${first},`)
      .and.to.contain('calls');
  });
});

describe('A worker of a new namespace', function () {
  this.timeout(0);

  it('waits until all parts of Temporal find it and accept workflows with its attributes', async () => {
    const { temporal } = await testTemporal();
    const namespace = `new-${Date.now()}`;
    const { log, find } = recordedLog();
    const ensured = ensureSearchAttributes({ ...temporal, namespace }, log);
    await Promise.race([
      ensured,
      eventually(
        () => find('the search attributes'),
        (found) => found.length > 0,
      ),
    ]);
    await createNamespace(temporal, namespace);
    await ensured;
    const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes({ namespace });
    expect(customAttributes).to.include.all.keys(...SEARCH_ATTRIBUTES);
    const client = new Client({ connection: temporal.connection, namespace });
    const session = { workspace_id: 'ws_1', payer: 'ws_1', assistant_id: 'asst_1', type: 'text' } as const;
    await startSession(client, { ...session, id: `sess_${Date.now()}` });
  });
});

describe('A process that Temporal refuses', () => {
  it('ends with one sentence that names the settings', async () => {
    const server = createServer().on('stream', (stream) =>
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': '16',
          'grpc-message': 'Request unauthorized.',
        },
        { endStream: true },
      ),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = { address, namespace: 'calls', tls: false, apiKey: undefined };
    const { connection } = connectTemporalLater(config, silentLog);
    const error = await errorOf(connection.ensureConnected());
    server.close();
    expect(error).to.include({ name: 'StartError' });
    expect((error as Error).message)
      .to.contain('Request unauthorized')
      .and.to.contain('TEMPORAL_API_KEY');
  });
});
