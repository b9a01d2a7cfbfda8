/** Recognizes hosts that refer to this machine. */
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether a host name or address is this machine's loopback. Accepts the form of `URL.hostname` and typed forms. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether a connection to the host stays on this machine, including the unspecified address. */
export const leadsHere = (hostname: string) => isLoopback(hostname) || ['0.0.0.0', '::', '[::]'].includes(hostname);

/** Returns whether a network in CIDR notation contains a loopback address. */
export function includesLoopback(network: string): boolean {
  const [address = '', prefix = ''] = network.split('/');
  const family = isIP(address);
  if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 6 ? 128 : 32)) return false;
  if (isLoopback(address)) return true;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
  return family === 6 ? list.check('::1', 'ipv6') : list.check('127.0.0.1', 'ipv4');
}
