import { request } from 'node:http';
import { once } from 'node:events';
import { expect } from 'chai';
import { API_BASE } from '../../contract/constants.ts';
import { startTestApi } from '../support/api.ts';
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
