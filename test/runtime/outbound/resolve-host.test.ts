import { lookup } from 'node:dns/promises';
import { createHostResolver, UnresolvedHostError } from '../../../runtime/outbound/resolve-host.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { useStarted } from '../../support/use-started.ts';

describe('The lookup of a webhook host', () => {
  let addresses: string[];
  const server = useStarted(() =>
    startDnsServer((name) => (name.startsWith('hang') ? undefined : name.startsWith('well') ? addresses : [])),
  );
  beforeEach(() => {
    addresses = ['192.0.2.1'];
    server.asked.length = 0;
  });

  const resolverOf = (isLocal = () => false) => createHostResolver({ servers: [server.address], isLocal });

  it('fails for a name that does not exist, and after 2 s without a response', async () => {
    const resolver = resolverOf();
    expect(await errorOf(resolver('none.test'))).to.be.instanceOf(UnresolvedHostError);
    const began = performance.now();
    expect(await errorOf(resolver('hang.test'))).to.be.instanceOf(UnresolvedHostError);
    // The default timeouts of c-ares are much longer.
    expect(performance.now() - began).to.be.below(15_000);
  });

  it('does not delay other lookups or the operating system if there is no response', async () => {
    const resolver = resolverOf();
    let failures = 0;
    const hanging = Array.from({ length: 50 }, async (_, index) => {
      await errorOf(resolver(`hang${index}.test`));
      failures += 1;
    });
    await resolver('well.test');
    await lookup('localhost');
    expect(failures).to.equal(0);
    await Promise.all(hanging);
    expect(await resolver('well2.test')).to.have.length(1);
  });

  it('uses the operating system only for names that the operator allows', async () => {
    const resolver = resolverOf();
    expect(await errorOf(resolver('localhost'))).to.be.instanceOf(UnresolvedHostError);
    expect(server.asked).to.include('localhost');
    expect((await resolverOf(() => true)('localhost')).length).to.be.at.least(1);
  });
});
