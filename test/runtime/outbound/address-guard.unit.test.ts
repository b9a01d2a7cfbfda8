import { hostname } from 'node:os';
import { startDnsServer } from '../../support/dns-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { useStarted } from '../../support/use-started.ts';
import { UnresolvedHostError } from '../../../runtime/outbound/resolve-host.ts';
import { BlockedAddressError, createAddressGuard } from '../../../runtime/outbound/address-guard.ts';

/** Hosts as users can write them in a URL, by kind. */
const DENIED: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '0', '[::]'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.0.0.0', '127.255.255.254', '[::1]'],
  'link-local': ['169.254.0.1', '169.254.255.255', '[fe80::1]', '[febf::1]'],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '[fd00:ec2::254]',
    '[fd00:ec2::23]',
    '[fd20:ce::254]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
  ],
  'protocol assignments and documentation': [
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.255',
    '[2001:db8::1]',
    '[3fff::1]',
  ],
  'benchmarks and relays': ['198.18.0.1', '198.19.255.255', '192.88.99.1', '[2001:2::1]'],
  multicast: ['224.0.0.1', '239.255.255.255', '[ff02::1]', '[ff0e::1]', '[ffff::1]'],
  reserved: ['240.0.0.1', '255.255.255.254', '255.255.255.255', '[4000::1]', '[5f00::1]', '[8000::1]', '[1000::1]'],
  'unique local and site-local': ['[fc00::1]', '[fdff:ffff::1]', '[fec0::1]'],
  mapped: ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]', '[0:0:0:0:0:ffff:7f00:1]'],
  compatible: ['[::7f00:1]', '[::127.0.0.1]', '[::a00:1]', '[::8.8.8.8]'],
  translated: ['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::1]', '[100::1]'],
  tunnelled: [
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2001::1]',
    '[2001:0:7f00:1::]',
    '[2001:10::1]',
    '[2001:20::1]',
  ],
  decimal: ['2130706433', '167772161', '2852039166', '4294967295'],
  octal: ['0177.0.0.1', '017700000001', '0012.0.0.1', '0251.0376.0251.0376'],
  hexadecimal: ['0x7f000001', '0x7f.0.0.1', '0x7F.1', '0xa9fea9fe', '0x0a.0x0.0x0.0x1'],
  short: ['127.1', '127.0.1', '10.1', '192.168.1'],
  'full-width and circled': ['１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '１６９.２５４.１６９.２５４'],
  percent: ['%31%32%37.0.0.1', '127%2E0%2E0%2E1'],
  'with a trailing dot': ['127.0.0.1.', '10.0.0.1.', '0x7f.1.', '169.254.169.254.'],
  'a name of this machine': ['localhost', 'LOCALHOST', 'localhost.', 'ＬＯＣＡＬＨＯＳＴ'],
};

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.114.0',
  '223.255.255.255',
  '168.63.129.17',
  '134744072',
  '[2606:4700::1111]',
  '[2a00:1450::1]',
  '[2001:200::1]',
  '[2001:4860:4860::8888]',
  '[2003::1]',
  '[2620:fe::fe]',
];

/** Returns the host as the URL parser passes it to the HTTP client. */
const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

async function isAllowed(host: string, allowHosts: string[] = []): Promise<boolean> {
  try {
    return (await createAddressGuard(allowHosts).resolve(hostOf(host))).length > 0;
  } catch (error) {
    if (error instanceof BlockedAddressError) return false;
    throw error;
  }
}

describe('The address guard', () => {
  let answer: (name: string) => string[];
  const server = useStarted(() => startDnsServer((name) => answer(name)));

  for (const [kind, hosts] of Object.entries(DENIED)) {
    for (const host of hosts) {
      it(`denies ${host} (${kind})`, async () => {
        expect(await isAllowed(host)).to.equal(false);
      });
    }
  }

  for (const host of PUBLIC) {
    it(`allows ${host}`, async () => {
      expect(await isAllowed(host)).to.equal(true);
    });
  }

  it('returns the checked addresses, and for a name all of them', async () => {
    const guard = createAddressGuard(['localhost']);
    expect(await guard.resolve('8.8.8.8')).to.deep.equal([{ address: '8.8.8.8', family: 4 }]);
    expect(await guard.resolve('[2606:4700::1111]')).to.deep.equal([{ address: '2606:4700::1111', family: 6 }]);
    const addresses = (await guard.resolve('localhost')).map(({ address }) => address);
    expect(addresses).to.not.be.empty;
    for (const address of addresses) expect(address).to.be.oneOf(['127.0.0.1', '::1']);
  });

  it('resolves a name, and checks all of its addresses', async () => {
    const answers: Record<string, string[]> = { 'ok.test': ['8.8.8.8'], 'mixed.test': ['8.8.8.8', '10.0.0.1'] };
    answer = (name) => answers[name] ?? [];
    const guard = createAddressGuard([], [server.address]);
    expect(await guard.resolve('ok.test')).to.deep.equal([{ address: '8.8.8.8', family: 4 }]);
    expect(await errorOf(guard.resolve('mixed.test'))).to.be.instanceOf(BlockedAddressError);
    expect(await errorOf(guard.resolve('no-such-host.test'))).to.be.instanceOf(UnresolvedHostError);
  });

  for (const host of ['postgres', 'no-such-name', 'a.localhost', 'b.a.localhost.']) {
    it(`denies ${host} without a DNS lookup, which would reveal names of this network`, async () => {
      answer = () => ['8.8.8.8'];
      server.asked.length = 0;
      const failure = await errorOf(createAddressGuard([], [server.address]).resolve(host));
      expect(failure).to.be.instanceOf(BlockedAddressError);
      expect(server.asked).to.deep.equal([]);
    });
  }

  describe('with WEBHOOK_ALLOW_HOSTS', () => {
    const cases: [string[], string, boolean][] = [
      [['127.0.0.1'], '127.0.0.1', true],
      [['127.0.0.1'], '2130706433', true],
      [['127.0.0.1'], '127.0.0.2', false],
      [['127.0.0.0/8'], '127.255.0.1', true],
      [['127.0.0.0/8'], 'localhost.', true],
      [['127.0.0.0/8'], '10.0.0.1', false],
      [['10.1.0.0/16'], '10.1.255.255', true],
      [['10.1.0.0/16'], '10.2.0.0', false],
      [['10.1.0.0/16'], '[::ffff:10.1.0.1]', false],
      [['fd00::/8'], '[fd12::1]', true],
      [['fd00::/8'], '[fc12::1]', false],
      [['FD12::1'], '[fd12:0::1]', true],
      [['::1', '127.0.0.1'], 'localhost', true],
      [['localhost'], 'localhost', true],
      [['LocalHost'], 'localhost', true],
      [['localhost'], '127.0.0.1', false],
      [['169.254.0.0/16'], '169.254.1.1', true],
      [['169.254.0.0/16'], '169.254.169.254', false],
      [['0.0.0.0/0', '::/0'], '168.63.129.16', false],
      [['::/0'], '[fd00:ec2::254]', false],
      [['169.254.169.254'], '169.254.169.254', true],
      [['169.254.169.254'], '0xa9fea9fe', true],
    ];
    for (const [allowed, host, isOpen] of cases) {
      it(`${allowed.join(', ')} ${isOpen ? 'allows' : 'does not allow'} ${host}`, async () => {
        expect(await isAllowed(host, allowed)).to.equal(isOpen);
      });
    }

    it('allows a listed name of this machine only by that name', async () => {
      const name = hostname().toLowerCase();
      expect(await isAllowed(name, [name])).to.equal(true);
      expect(await isAllowed(name, ['elsewhere.example'])).to.equal(false);
    });
  });
});
