/** Decides which addresses the service may call. docs/decisions.md, "Webhook addresses". */
import { isIP, isIPv6 } from 'node:net';
import { matchNetworks } from '../network/networks.ts';
import { createHostResolver, type Address } from './resolve-host.ts';

/**
 * Ranges that are not globally reachable or not a single host. Source: IANA's special-purpose address registries for IPv4 and IPv6.
 * 168.63.129.16 is Azure's platform address, although it looks public.
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

/** Everything outside 2000::/3, which excludes mapped, compatible and NAT64 forms, and the ranges inside it that embed IPv4. */
const DENIED_IPV6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Cloud metadata addresses. An allowed range or host name does not include them; they must be listed as addresses. */
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

/** The address, or an address of the name, is not allowed. */
export class BlockedAddressError extends Error {
  override name = 'BlockedAddressError';
}

export interface AddressGuard {
  /**
   * Returns the checked addresses of a host. Throws `BlockedAddressError` if one is denied, and `UnresolvedHostError`
   * within 2 s if there is none. @param hostname in the form of `URL.hostname`.
   */
  resolve(hostname: string): Promise<Address[]>;
}

/**
 * Returns the guard that decides which addresses the service may call.
 * @param allowHosts host names, addresses and CIDRs that are allowed although the tables above deny them.
 * @param dnsServers empty: the machine's own.
 */
export function createAddressGuard(allowHosts: readonly string[], dnsServers: readonly string[] = []): AddressGuard {
  const names = new Set(allowHosts.map((host) => host.toLowerCase()));
  const resolveHost = createHostResolver({
    servers: dnsServers,
    isLocal: (host) => names.has(host) || host === 'localhost',
  });
  const networks = allowHosts.filter((host) => isIP(host.split('/')[0] ?? '') !== 0);
  const allowed = matchNetworks(networks);
  const denied = matchNetworks([...DENIED_IPV4, ...DENIED_IPV6]);

  function isAllowed(hostname: string, address: string): boolean {
    const canonical = isIPv6(address) ? canonicalIpv6(address) : address;
    if (METADATA_ADDRESSES.has(canonical)) return names.has(canonical);
    return names.has(hostname) || allowed(canonical) || !denied(canonical);
  }

  /**
   * Returns whether a name belongs to the internal network, whether or not it exists, so the response does not reveal which names exist.
   */
  const isInternal = (host: string) =>
    !names.has(host) && host !== 'localhost' && (!host.includes('.') || host.endsWith('.localhost'));

  return {
    async resolve(hostname) {
      const host = hostname
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
      const family = isIP(host);
      if (family === 0 && isInternal(host)) throw new BlockedAddressError(`${host} is a name of the internal network`);
      const addresses = family === 0 ? await resolveHost(host) : [{ address: host, family }];
      for (const { address } of addresses) {
        if (!isAllowed(host, address))
          throw new BlockedAddressError(`${host} resolves to an address that is not allowed`);
      }
      return addresses;
    },
  };
}

/** Returns the canonical form of the URL parser, without a scope ID. */
function canonicalIpv6(address: string): string {
  return new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
}
