import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { createAssistant, duplicateAssistant, updateAssistant } from '../../contract/assistants.ts';
import { send, startTestApi } from '../support/api.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { createUser } from '../support/factories.ts';

const SETTINGS = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };

describe('webhook_url', () => {
  let strict: RunningApi;
  let open: RunningApi;
  let token: string;
  before(async function () {
    this.timeout(0);
    strict = await startTestApi({ env: { WEBHOOK_ALLOW_HOSTS: '' } });
    open = await startTestApi({ env: { WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8, 10.1.0.0/16, ::1, localhost, intranet' } });
    token = (await createUser()).token;
  });
  after(() => Promise.all([strict.stop(), open.stop()]));

  const create = (api: RunningApi, webhook_url: unknown) =>
    send(api, createAssistant, { token, body: { ...SETTINGS, webhook_url } });

  async function expectRefused(api: RunningApi, url: unknown): Promise<void> {
    const { problem } = await create(api, url);
    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['webhook_url']);
  }

  it('is kept as the URL parser writes it', async () => {
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

  for (const url of [
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
  ]) {
    it(`is refused when it is no http or https URL without credentials: ${String(url).slice(0, 40)}`, async () => {
      await expectRefused(open, url);
    });
  }

  it('is refused when it names a port that browsers refuse, on whatever host', async () => {
    for (const port of [0, 1, 22, 25, 587, 6000, 6697, 10_080]) {
      await expectRefused(strict, `https://example.com:${port}/`);
      await expectRefused(open, `http://127.0.0.1:${port}/`);
    }
    for (const port of [80, 443, 8_080, 65_535]) {
      expect((await create(strict, `http://example.com:${port}/`)).status, String(port)).to.equal(201);
    }
  });

  it('is refused when it is a name of the network that the operator has not listed', async () => {
    for (const host of ['postgres', 'postgres.', 'app.localhost', 'a.b.localhost.']) {
      await expectRefused(strict, `http://${host}/`);
      await expectRefused(open, `http://${host}:9999/`);
    }
    expect((await create(open, 'http://intranet:9999/')).status).to.equal(201);
  });

  it('is as long as it is stored: what was saved can be saved again, and duplicated', async () => {
    const { problem } = await create(strict, `https://example.com/${'é'.repeat(2_000)}`);
    expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['webhook_url']);
    const { body } = await create(strict, `https://example.com/${'é'.repeat(338)}`);
    expect(body.webhook_url).to.have.length(2_048);
    const again = await send(strict, updateAssistant, {
      token,
      params: { id: body.id },
      body: { webhook_url: body.webhook_url },
    });
    expect(again.status).to.equal(200);
    expect((await send(strict, duplicateAssistant, { token, params: { id: body.id }, body: {} })).status).to.equal(201);
    await expectRefused(strict, `https://example.com/${'é'.repeat(339)}`);
  });

  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '①②⑦.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    'localhost',
    'localhost.',
    '[::]',
    '[::1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fc00::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[fd00:ec2::254]',
  ]) {
    it(`is refused when it leads to a private or reserved address: ${host}`, async () => {
      await expectRefused(strict, `http://${host}/`);
      await expectRefused(strict, `https://${host}:8443/hooks`);
    });
  }

  it('may lead to the private addresses that the operator lists, and to no others', async () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '10.1.2.3', '[::1]', 'localhost']) {
      expect((await create(open, `http://${host}:9999/`)).status, host).to.equal(201);
    }
    for (const host of ['10.2.0.1', '192.168.0.1', '169.254.169.254', '[fe80::1]']) {
      await expectRefused(open, `http://${host}/`);
    }
  });

  it('is checked when it is changed as well', async () => {
    const { body } = await create(strict, 'https://example.com/');
    const { problem } = await send(strict, updateAssistant, {
      token,
      params: { id: body.id },
      body: { webhook_url: 'http://127.0.0.1/' },
    });
    expect(problem.errors?.map(({ path }) => path)).to.deep.equal(['webhook_url']);
  });

  it('is saved within 2 s although its name server never answers, and nobody else waits for that', async () => {
    const server = await startDnsServer((name) => (name.startsWith('hang') ? undefined : ['8.8.8.8']));
    const api = await startTestApi({ env: { DNS_SERVERS: server.address } });
    try {
      const other = (await createUser()).token;
      const began = performance.now();
      let answered = 0;
      const hanging = Array.from({ length: 20 }, async (_, index) => {
        const answer = await create(api, `http://hang${index}.test/`);
        answered++;
        return answer;
      });
      const body = { ...SETTINGS, webhook_url: 'http://well.test/' };
      expect((await send(api, createAssistant, { token: other, body })).status).to.equal(201);
      // Of one user five are looked up at once, and these wait still.
      expect(answered).to.be.at.most(hanging.length - 5);
      expect((await Promise.all(hanging)).map(({ status }) => status)).to.deep.equal(Array<number>(20).fill(201));
      expect(performance.now() - began).to.be.below(5_000);
      // The others are looked up when something is posted.
      expect(new Set(server.asked.filter((name) => name.startsWith('hang'))).size).to.be.below(hanging.length);
    } finally {
      await api.stop();
      await server.stop();
    }
  });
});
