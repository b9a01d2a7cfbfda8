/** Recognizes hosts that refer to this machine. */
import { isIP } from 'node:net';
import { isNetwork, matchNetworks } from './networks.ts';

const isLoopbackAddress = matchNetworks(['127.0.0.0/8', '::1']);

/** Returns whether a host name or address is this machine's loopback. Accepts the form of `URL.hostname` and typed forms. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return isIP(host) === 0 ? host === 'localhost' || host.endsWith('.localhost') : isLoopbackAddress(host);
}

/** Returns whether a connection to the host stays on this machine, including the unspecified address. */
export const leadsHere = (hostname: string) => isLoopback(hostname) || ['0.0.0.0', '::', '[::]'].includes(hostname);

/** Returns whether a network in CIDR notation contains a loopback address. */
export function includesLoopback(network: string): boolean {
  if (!isNetwork(network)) return false;
  const contains = matchNetworks([network]);
  return isLoopback(network.split('/')[0] ?? '') || contains('127.0.0.1') || contains('::1');
}
