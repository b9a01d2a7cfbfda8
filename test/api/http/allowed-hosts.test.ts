import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { startTestApi } from '../../support/api.ts';
import type { Environment } from '../../../runtime/settings/environment.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

/** Sends a request with this `Host` header, which `fetch` does not allow. */
async function get(url: string, host: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; code: unknown }>();
  request(url, { headers: { ...headers, Host: host } }, (response) => {
    json(response).then(
      (body) => resolve({ status: response.statusCode, code: (body as { code?: unknown }).code }),
      reject,
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('The Host header', () => {
  async function statuses(env: Environment, hosts: string[], path = '/api/v1/info') {
    const api = await stopAfterTest(startTestApi({ env }));
    const answers = [];
    for (const host of hosts) answers.push((await get(`${api.url}${path}`, host)).status);
    return answers;
  }

  const LOOPBACK = ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]', 'console.localhost:1'];
  const FOREIGN = ['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', '169.254.169.254', '-'];

  it('must be a loopback name if the API listens on loopback; any other name gets 421', async () => {
    expect(await statuses({}, LOOPBACK)).to.deep.equal(LOOPBACK.map(() => 401));
    expect(await statuses({}, FOREIGN)).to.deep.equal(FOREIGN.map(() => 421));
    expect(await statuses({}, FOREIGN, '/console/')).to.deep.equal(FOREIGN.map(() => 421));
  });

  it('gets a problem document even if the request claims to be same-origin', async () => {
    const api = await stopAfterTest(startTestApi());
    const headers = { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' };
    expect(await get(`${api.url}/api/v1/info`, 'evil.example', headers)).to.deep.equal({
      status: 421,
      code: 'misdirected_request',
    });
  });

  it('may be one of ALLOWED_HOSTS', async () => {
    const env = { ALLOWED_HOSTS: 'calls.example.com, 192.0.2.7' };
    const hosts = ['calls.example.com', 'CALLS.example.com:8080', '192.0.2.7', 'localhost', 'evil.example'];
    expect(await statuses(env, hosts)).to.deep.equal([401, 401, 401, 401, 421]);
    expect(await statuses({ ...env, HOST: '0.0.0.0' }, hosts)).to.deep.equal([401, 401, 401, 401, 421]);
  });

  it('may be any name on another address or behind a proxy, unless ALLOWED_HOSTS is set', async () => {
    expect(await statuses({ HOST: '0.0.0.0' }, ['calls.example.com'])).to.deep.equal([401]);
    expect(await statuses({ TRUSTED_PROXIES: '1' }, ['calls.example.com'])).to.deep.equal([401]);
    expect(await statuses({ TRUSTED_PROXIES: '1', ALLOWED_HOSTS: 'a.example' }, ['b.example'])).to.deep.equal([421]);
  });

  it('may have any value in a health probe', async () => {
    expect(await statuses({}, ['10.0.0.7:3000'], '/healthz')).to.deep.equal([200]);
  });
});
