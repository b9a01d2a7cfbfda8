/** Which addresses a webhook may reach. docs/decisions.md, "Webhook addresses". */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { ConfigError } from '../config.ts';
import { createHostResolver } from './resolve-host.ts';
import type { Address } from './resolve-host.ts';

/**
 * Not globally reachable, or not one host. Source: IANA's special-purpose address registries for IPv4 and IPv6.
 * 168.63.129.16 is Azure's platform address, public in form only.
 */
const DENIED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** All but 2000::/3, which leaves no mapped, compatible or NAT64 form; of that what embeds IPv4 or documents. */
const DENIED_IPV6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Where clouds hand out credentials: an allowed range or host does not open these, only the address itself does. */
const METADATA_ADDRESSES = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

/** Says that an address, or a name that leads to one, is not allowed. */
export class BlockedAddressError extends Error {
  override name = 'BlockedAddressError';
}

export interface AddressGuard {
  /**
   * Returns the addresses of a host, each checked. Throws `BlockedAddressError` if one is denied, and after 2 s at the
   * latest `UnresolvedHostError` if there is none. @param hostname as `URL.hostname` writes it. @param userId on whose
   * wish, where nothing else bounds the look-ups of one user.
   */
  resolve(hostname: string, userId?: string): Promise<Address[]>;
}

/**
 * Returns what decides which addresses the service may call.
 * @param allowHosts host names, addresses and CIDRs that are allowed although they are denied by the tables above.
 * @param dnsServers none: the machine's own.
 */
export function createAddressGuard(allowHosts: readonly string[], dnsServers: readonly string[] = []): AddressGuard {
  const names = new Set(allowHosts.map((host) => host.toLowerCase()));
  const resolver = createHostResolver({
    servers: dnsServers,
    isLocal: (host) => names.has(host) || host === 'localhost',
  });
  const networks = allowHosts.filter((host) => isIP(host.split('/')[0] ?? '') !== 0);
  const allowed = blockListsOf(networks);
  const denied = blockListsOf([...DENIED_IPV4, ...DENIED_IPV6]);

  function isAllowed(hostname: string, address: string): boolean {
    const canonical = isIPv6(address) ? canonicalIpv6(address) : address;
    if (METADATA_ADDRESSES.has(canonical)) return names.has(canonical);
    return names.has(hostname) || allowed(canonical) || !denied(canonical);
  }

  /**
   * Returns whether a name belongs to this network, whether there is such a host or not: the answer tells nobody which
   * names there are.
   */
  const isInternal = (host: string) =>
    !names.has(host) && host !== 'localhost' && (!host.includes('.') || host.endsWith('.localhost'));

  return {
    async resolve(hostname, userId) {
      const host = hostname
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
      const family = isIP(host);
      if (family === 0 && isInternal(host)) throw new BlockedAddressError(`${host} is a name of this network`);
      const addresses = family === 0 ? await resolver.resolve(host, userId) : [{ address: host, family }];
      for (const { address } of addresses) {
        if (!isAllowed(host, address)) throw new BlockedAddressError(`${host} leads to an address that is not allowed`);
      }
      return addresses;
    },
  };
}

/**
 * Returns a matcher with one list for each family: a mixed one would match every IPv4 address with an IPv6 rule over
 * the mapped range.
 */
function blockListsOf(networks: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', ...prefixes] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const bits = family === 'ipv6' ? 128 : 32;
    const [prefix = String(bits)] = prefixes;
    // An empty prefix would read as 0 and open everything.
    if (prefixes.length > 1 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new ConfigError('WEBHOOK_ALLOW_HOSTS holds a network that is not written as address/prefix');
    }
    lists[family].addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    return lists[family].check(address, family);
  };
}

/** Returns the one short form that the URL parser gives; a scope id is dropped. */
function canonicalIpv6(address: string): string {
  return new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
}
