import { request } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { once } from 'node:events';
import { API_BASE } from '../../../contract/values/constants.ts';
import { startTestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createUser } from '../../support/factories.ts';
import { recordedLog } from '../../support/log.ts';
import { FORM_TYPE } from '../../support/multipart.ts';

describe('Connections', () => {
  it('with a running upload are cut when the grace period of a stop ends', async () => {
    const api = await startTestApi({ env: { SHUTDOWN_GRACE_S: '1' } });
    const { token } = await createUser();
    const upload = request(`${api.url}${API_BASE}/v1/requests/voice`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': FORM_TYPE },
    });
    const failed = once(upload, 'error');
    upload.flushHeaders();
    const drip = setInterval(() => upload.write('-'), 20);
    await once(upload, 'socket');
    // The upload was sent first, so the server has received it.
    await fetch(`${api.url}/healthz`);
    const started = performance.now();
    await api.stop();
    clearInterval(drip);
    expect(performance.now() - started).to.be.lessThan(15_000);
    await failed;
  });

  it('that are idle do not delay a stop; a request during the grace period gets its response', async () => {
    const api = await startTestApi({ env: { SHUTDOWN_GRACE_S: '20' } });
    const port = Number(new URL(api.url).port);
    const [silent, used] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all([once(silent, 'connect'), once(used, 'connect')]);
    // Both connected first, so the server has accepted them.
    await fetch(`${api.url}/healthz`);
    const started = performance.now();
    const stopped = api.stop();
    used.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await readText(used)).to.match(/^HTTP\/1.1 200 /);
    await Promise.all([stopped, once(silent.resume(), 'close')]);
    expect(performance.now() - started).to.be.lessThan(10_000);
  });

  it('are limited: further ones are closed without being read, until another one ends', async () => {
    const api = await startTestApi({ adjust: ({ http }) => void (http.maxConnections = 2) });
    const open = () => connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
    const held = [open(), open()];
    // A response proves that the server has accepted the connection.
    for (const socket of held) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
    }
    const further = open();
    further.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    let isAnswered = false;
    further.on('data', () => (isAnswered = true));
    await once(further, 'close');
    expect(isAnswered).to.equal(false);
    held[0]?.destroy();
    const answered = () => fetch(`${api.url}/healthz`).then(({ status }) => status, String);
    await eventually(answered, 200);
    held[1]?.destroy();
    await api.stop();
  });

  it('stay open for longer than a reverse proxy keeps them; health probes are not logged', async () => {
    const { log, find } = recordedLog();
    const api = await startTestApi({ log });
    const { headers } = await fetch(`${api.url}/healthz`);
    expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).to.be.greaterThan(60);
    for (const path of ['/readyz', '/api/openapi.json']) await (await fetch(api.url + path)).text();
    await api.stop();
    const paths = find('"msg":"request"').map(({ path }) => path);
    expect(paths).to.deep.equal(['/api/openapi.json']);
  });
});
