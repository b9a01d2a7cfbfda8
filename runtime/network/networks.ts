/** Networks in CIDR notation. */
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Returns whether the value is an address, or a network written as address/prefix. An empty prefix would mean every address. */
export function isNetwork(value: string): boolean {
  const [address = '', prefix = '0', ...rest] = value.split('/');
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32);
}

/**
 * Returns a matcher with one list per address family. In a mixed list, an IPv6 rule for the mapped range would match every IPv4 address.
 */
export function matchNetworks(networks: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    lists[family].addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    return lists[family].check(address, family);
  };
}
