import { send, startTestApi } from '../../support/api.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('webhook_url', () => {
  const strict = useTestApi({ env: { WEBHOOK_ALLOW_HOSTS: '' } });
  const open = useTestApi({ env: { WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8, 10.1.0.0/16, ::1, localhost, intranet' } });
  let token: string;
  before(async () => {
    token = (await createUser()).token;
  });

  const create = (api: { url: string }, webhook_url: unknown) =>
    send(api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, webhook_url } });

  async function expectRefused(api: { url: string }, ...urls: unknown[]): Promise<void> {
    for (const url of urls) {
      const answer = await create(api, url);
      expect([answer.status, ...answer.paths], String(url).slice(0, 40)).to.deep.equal([422, 'webhook_url']);
    }
  }

  it('is stored in normalized form', async () => {
    for (const [given, kept] of [
      ['https://EXAMPLE.com', 'https://example.com/'],
      ['http://example.com:8080/a/../b?c=d#e', 'http://example.com:8080/b?c=d#e'],
      ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
      ['https://1.1.1.1/hook', 'https://1.1.1.1/hook'],
      ['https://no-such-name.invalid/', 'https://no-such-name.invalid/'],
    ]) {
      expect((await create(strict, given)).body.webhook_url).to.equal(kept);
    }
  });

  it('is refused unless it is an http or https URL without credentials', async () => {
    await expectRefused(
      open,
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://example.com/',
      'data:text/plain,a',
      'https://user:password@example.com/',
      'https://user@example.com/',
      'https://:password@example.com/',
      '/hooks',
      'example.com/hooks',
      'https://',
      'https:///',
      'http://exa mple.com/',
      'http://example.com:99999/',
      `https://example.com/${'x'.repeat(2_048)}`,
      '',
      7,
    );
  });

  it('is refused if browsers block its port', async () => {
    for (const port of [0, 1, 22, 25, 587, 6000, 6697, 10_080]) {
      await expectRefused(strict, `https://example.com:${port}/`);
      await expectRefused(open, `http://127.0.0.1:${port}/`);
    }
    for (const port of [80, 443, 8_080, 65_535]) {
      expect((await create(strict, `http://example.com:${port}/`)).status, String(port)).to.equal(201);
    }
  });

  it('is limited in its normalized length, so a stored URL can be saved again and duplicated', async () => {
    const { body } = await create(strict, `https://example.com/${'é'.repeat(338)}`);
    expect(body.webhook_url).to.have.length(2_048);
    const again = await send(strict, 'updateAssistant', {
      token,
      params: { id: body.id },
      body: { webhook_url: body.webhook_url },
    });
    expect(again.status).to.equal(200);
    expect((await send(strict, 'duplicateAssistant', { token, params: { id: body.id } })).status).to.equal(201);
    await expectRefused(strict, `https://example.com/${'é'.repeat(339)}`);
  });

  it('is refused if it leads to a private or reserved address', async () => {
    // Every form of an address and every range: test/runtime/outbound/address-guard.unit.test.ts.
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::1]', 'postgres']) {
      await expectRefused(strict, `http://${host}/`, `https://${host}:8443/hooks`);
    }
    const { id } = (await create(strict, 'https://example.com/')).body;
    const change = { token, params: { id }, body: { webhook_url: 'http://127.0.0.1/' } };
    expect((await send(strict, 'updateAssistant', change)).paths, 'a change').to.deep.equal(['webhook_url']);
    const alert = (url: string) => ({ name: url, when: ['score:null'], url });
    const fields = [{ name: 'score', type: 'integer', description: 'How good?' }];
    const body = { fields, alerts: [alert('https://example.com/'), alert('http://10.0.0.1/')] };
    const answer = await send(strict, 'updateAssistant', { ...change, body });
    expect(answer.paths, 'an alert').to.deep.equal(['alerts.1.url']);
  });

  it('may lead to private addresses that the operator allows, and no others', async () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '10.1.2.3', '[::1]', 'localhost', 'intranet']) {
      expect((await create(open, `http://${host}:9999/`)).status, host).to.equal(201);
    }
    for (const host of ['10.2.0.1', '192.168.0.1', '169.254.169.254', '[fe80::1]', 'postgres']) {
      await expectRefused(open, `http://${host}/`);
    }
  });

  it('is saved within 2 s if the name server does not respond, without delaying other requests', async () => {
    const server = await startDnsServer((name) => (name.startsWith('hang') ? undefined : ['8.8.8.8']));
    const api = await startTestApi({ env: { DNS_SERVERS: server.address } });
    try {
      const other = (await createUser()).token;
      let answered = 0;
      const hanging = Array.from({ length: 20 }, async (_, index) => {
        const began = performance.now();
        const { status } = await create(api, `http://hang${index}.test/`);
        answered++;
        return { status, tookMs: performance.now() - began };
      });
      const body = { ...TEXT_SETTINGS, webhook_url: 'http://well.test/' };
      expect((await send(api, 'createAssistant', { token: other, body })).status).to.equal(201);
      expect(answered).to.be.below(hanging.length);
      const saved = await Promise.all(hanging);
      expect(saved.every(({ status }) => status === 201)).to.equal(true);
      // The default timeouts of c-ares are much longer.
      expect(Math.min(...saved.map(({ tookMs }) => tookMs))).to.be.below(15_000);
    } finally {
      await api.stop();
      await server.stop();
    }
  });
});
