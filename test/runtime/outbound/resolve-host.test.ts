import { lookup } from 'node:dns/promises';
import { expect } from 'chai';
import { createHostResolver, UnresolvedHostError } from '../../../runtime/outbound/resolve-host.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import type { DnsServer } from '../../support/dns-server.ts';

describe('The look-up of a webhook’s host', () => {
  let server: DnsServer;
  let addresses: string[];
  before(async () => {
    server = await startDnsServer((name) =>
      name.startsWith('hang') ? undefined : name.startsWith('well') ? addresses : [],
    );
  });
  after(() => server.stop());
  beforeEach(() => {
    addresses = ['192.0.2.1'];
    server.asked.length = 0;
  });

  const resolverOf = (isLocal = () => false) => createHostResolver({ servers: [server.address], isLocal });
  const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
  async function timed(work: () => Promise<unknown>): Promise<number> {
    const began = performance.now();
    await work().catch(() => undefined);
    return performance.now() - began;
  }

  it('gives all addresses of a name', async () => {
    addresses = ['192.0.2.1', '192.0.2.2'];
    const found = await resolverOf().resolve('well.test');
    expect(found.map(({ address }) => address).sort()).to.deep.equal(addresses);
    expect(found.map(({ family }) => family)).to.deep.equal([4, 4]);
  });

  it('fails for a name that does not exist, and after 2 s for one whose server never answers', async () => {
    const resolver = resolverOf();
    expect(await failureOf(resolver.resolve('none.test'))).to.be.instanceOf(UnresolvedHostError);
    let failure: unknown;
    const tookMs = await timed(async () => (failure = await failureOf(resolver.resolve('hang.test'))));
    expect(failure).to.be.instanceOf(UnresolvedHostError);
    expect(tookMs).to.be.below(2_600);
  });

  it('that is never answered delays no other, nor what the machine looks up in its own way', async () => {
    const resolver = resolverOf();
    const hanging = Array.from({ length: 50 }, (_, index) => failureOf(resolver.resolve(`hang${index}.test`)));
    expect(await timed(() => resolver.resolve('well.test'))).to.be.below(1_000);
    expect(await timed(() => lookup('localhost'))).to.be.below(1_000);
    await Promise.all(hanging);
    expect(await timed(() => resolver.resolve('well2.test'))).to.be.below(1_000);
  });

  for (const name of ['well.test', 'none.test']) {
    it(`is made once for those who ask within seconds: ${name}`, async () => {
      const resolver = resolverOf();
      await Promise.all(Array.from({ length: 20 }, () => failureOf(resolver.resolve(name))));
      await failureOf(resolver.resolve(name));
      // One question for IPv4 and one for IPv6.
      expect(server.asked).to.have.length.at.most(2);
    });
  }

  it('is refused at once to a user who has many under way, and to nobody else', async () => {
    const resolver = resolverOf();
    const busy = Array.from({ length: 5 }, (_, index) => failureOf(resolver.resolve(`hang${index}.test`, 'busy')));
    expect(await timed(() => resolver.resolve('hang9.test', 'busy'))).to.be.below(200);
    expect(await resolver.resolve('well.test', 'other')).to.have.length(1);
    await Promise.all(busy);
    expect(await resolver.resolve('well2.test', 'busy')).to.have.length(1);
  });

  it('goes the machine’s own way for the operator’s names only', async () => {
    const resolver = resolverOf();
    expect(await failureOf(resolver.resolve('localhost'))).to.be.instanceOf(UnresolvedHostError);
    expect(server.asked).to.include('localhost');
    expect((await resolverOf(() => true).resolve('localhost')).length).to.be.at.least(1);
  });
});
