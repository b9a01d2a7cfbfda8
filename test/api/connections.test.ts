import { request } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { once } from 'node:events';
import { expect } from 'chai';
import { API_BASE } from '../../contract/constants.ts';
import { startTestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createUser } from '../support/factories.ts';
import { recordedLog } from '../support/log.ts';
import { FORM_TYPE } from '../support/multipart.ts';

describe('Connections', () => {
  it('stay open for longer than a reverse proxy keeps them, so that none is closed under a request', async () => {
    const api = await startTestApi();
    const { headers } = await fetch(`${api.url}/healthz`);
    expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).to.be.greaterThan(60);
    await api.stop();
  });

  it('with an upload that goes on are cut when the grace period of a stop ends', async () => {
    const api = await startTestApi({ env: { SHUTDOWN_GRACE_S: '1' } });
    const { user, token } = await createUser();
    await createAssistant(user.id, { type: 'voice', stt_provider: 'whisper' });
    const upload = request(`${api.url}${API_BASE}/v1/requests/voice`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': FORM_TYPE },
    });
    const failed = once(upload, 'error');
    upload.flushHeaders();
    const drip = setInterval(() => upload.write('-'), 20);
    await once(upload, 'socket');
    await fetch(`${api.url}/healthz`); // the upload came first, so it has arrived
    const started = performance.now();
    await api.stop();
    clearInterval(drip);
    expect(performance.now() - started).to.be.lessThan(3_000);
    await failed;
  });

  it('that were opened ahead and never used hold no stop up, and one that is used in time is answered', async () => {
    const api = await startTestApi({ env: { SHUTDOWN_GRACE_S: '20' } });
    const port = Number(new URL(api.url).port);
    const [silent, used] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all([once(silent, 'connect'), once(used, 'connect')]);
    await fetch(`${api.url}/healthz`); // both came first, so the server has taken them
    const started = performance.now();
    const stopped = api.stop();
    used.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await readText(used)).to.match(/^HTTP\/1.1 200 /);
    await Promise.all([stopped, once(silent.resume(), 'close')]);
    expect(performance.now() - started).to.be.lessThan(10_000);
  });

  it('are as many as may be: a further one is closed before it is read, and one that ends makes room', async () => {
    const api = await startTestApi({ env: { MAX_CONNECTIONS: '2' } });
    const open = () => connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
    const held = [open(), open()];
    // Answered, so the server has both.
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
    await eventually(answered, (status) => status === 200);
    held[1]?.destroy();
    await api.stop();
  });

  it('of probes leave no line in the log, and those of others do', async () => {
    const { log, text } = recordedLog();
    const api = await startTestApi({ log });
    for (const path of ['/healthz', '/readyz', '/api/openapi.json']) await (await fetch(api.url + path)).text();
    await api.stop();
    const paths = text()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => (JSON.parse(line) as { path: string }).path);
    expect(paths).to.deep.equal(['/api/openapi.json']);
  });
});
