import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLlmProviders } from '../../../activities/providers/llm/index.ts';
import { createSsoProvider } from '../../../api/sso/provider.ts';
import type { Environment } from '../../../runtime/settings/environment.ts';
import { createAddressGuard } from '../../../runtime/outbound/address-guard.ts';
import { createAudioDownload } from '../../../runtime/outbound/audio-download.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { createWebhookHttp } from '../../../runtime/outbound/webhook-http.ts';
import { silentLog } from '../../support/log.ts';
import { testConfig } from '../../support/api.ts';
import { startReceiver } from '../../support/receiver.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

/** Starts a proxy that refuses every request. `asked` receives the first line of each. */
async function startProxy() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', ({ url }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, asked, stop: () => new Promise((resolve) => server.close(resolve)) };
}

describe('A proxy of the settings', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeEach(async () => {
    proxy = await stopAfterTest(startProxy());
  });

  /** Calls a URL as the clients of providers do, and returns what the proxy was asked for since then. */
  async function askedFor(url: string, env: Environment): Promise<string[]> {
    const fetch = createProviderFetch(1_000, testConfig(env).proxies);
    await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
    return proxy.asked.splice(0);
  }

  it('is used by HTTPS_PROXY and HTTP_PROXY, also in lower case and without a scheme', async () => {
    const { host } = proxy;
    for (const env of [{ HTTPS_PROXY: `http://${host}` }, { https_proxy: host }, { HTTP_PROXY: host }]) {
      expect(await askedFor('https://api.example.com/v1', env)).to.deep.equal(['CONNECT api.example.com:443']);
    }
    const plain = 'http://models.example.com/v1';
    expect(await askedFor(plain, { http_proxy: `http://${host}` })).to.deep.equal([`POST ${plain}`]);
    expect(await askedFor(plain, { HTTPS_PROXY: host })).to.deep.equal([]);
  });

  it('is not used for hosts of NO_PROXY and for loopback', async () => {
    const env = { HTTP_PROXY: proxy.host, NO_PROXY: '.internal.example, 192.0.2.1' };
    for (const host of [
      'models.internal.example',
      'localhost:1',
      'localhost.:1',
      '127.0.0.1:1',
      '127.9.0.5:1',
      '[::1]:1',
    ]) {
      expect(await askedFor(`http://${host}/v1`, env), host).to.deep.equal([]);
    }
    expect(await askedFor('http://models.example.com', { ...env, NO_PROXY: '*' })).to.deep.equal([]);
  });

  it('is not used for addresses in networks of NO_PROXY, which must be written as address/prefix', async () => {
    const env = { HTTP_PROXY: proxy.host, NO_PROXY: 'a.example.com 127.128.0.0/9,240.0.0.0/5, fd00:1::/32' };
    for (const host of ['240.1.2.3', '247.255.255.255', '[fd00:1::5]']) {
      expect(await askedFor(`http://${host}:1/v1`, env), host).to.deep.equal([]);
    }
    for (const host of ['248.0.0.1', '[fd00:2::5]', 'networks.example.com']) {
      expect(await askedFor(`http://${host}/v1`, env), host).to.deep.equal([`POST http://${host}/v1`]);
    }
    for (const wrong of ['10.0.0.0/', '10.0.0.0/33', '10.0/8', 'fd00::/129', 'a.example.com/8']) {
      expect(() => testConfig({ NO_PROXY: `a.example.com,${wrong}` }), wrong).to.throw(/^NO_PROXY .*address\/prefix$/);
    }
  });

  it('is used for providers and for sign-in', async () => {
    const env = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'calls', PUBLIC_URL: 'https://c.example.com' };
    const config = testConfig({ ...env, HTTPS_PROXY: proxy.host });
    const signingIn = createSsoProvider(config.sso!, silentLog).begin({ isProof: false });
    await signingIn.catch(() => undefined);
    const { signal } = new AbortController();
    const request = {
      model: 'm',
      system: '',
      user: '',
      schema: { type: 'object' },
      temperature: 0,
      maxOutputTokens: 9,
      signal,
    };
    await createLlmProviders(config)
      .openai()
      .then((openai) => openai.complete(request))
      .catch(() => undefined);
    expect(new Set(proxy.asked)).to.deep.equal(new Set(['CONNECT id.example.com:443', 'CONNECT api.openai.com:443']));
  });

  it('is never used for webhooks and recordings', async () => {
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
    Object.assign(process.env, { HTTP_PROXY: `http://${proxy.host}`, HTTPS_PROXY: `http://${proxy.host}` });
    const { url, requests } = await stopAfterTest(startReceiver());
    const guard = { ...createAddressGuard([]), resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
    const target = url.replace('127.0.0.1', 'receiver.example.com');
    const { signal } = new AbortController();
    await createWebhookHttp(guard).post({ url: target, headers: {}, body: '{}', timeoutMs: 5_000, signal });
    const download = await createAudioDownload(guard)({ url: target, headers: {}, maxBytes: 1_000, signal });
    download.close();
    Object.assign(process.env, before);
    expect([requests.map(({ method }) => method), proxy.asked]).to.deep.equal([['POST', 'GET'], []]);
  });

  it('that is not a URL is refused by the name of its setting', () => {
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy']) {
      const read = () => testConfig({ [name]: 'socks4://proxy.example.com' });
      expect(read).to.throw(`${name.toUpperCase()} must be a URL`);
    }
  });
});
