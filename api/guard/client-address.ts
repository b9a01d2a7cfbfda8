/** The client's address, and the network that limits count it for. docs/decisions.md, "Client addresses". */
import { isIP, isIPv6, SocketAddress } from 'node:net';
import type { Middleware } from 'koa';
import type { Log } from '../../runtime/telemetry/log.ts';

/** Normalizes `ctx.ip`. Warns once if a proxy forwards requests although `TRUSTED_PROXIES` is 0. */
export function clientAddress(log: Log, trustedProxies: number): Middleware {
  let isWarned = trustedProxies > 0;
  return (ctx, next) => {
    if (!isWarned && ctx.get('X-Forwarded-For') !== '') {
      isWarned = true;
      log.warn(
        'requests have X-Forwarded-For, but TRUSTED_PROXIES is 0: all clients of the proxy count as one address',
      );
    }
    ctx.request.ip = parseAddress(ctx.ips[0]) ?? parseAddress(ctx.socket.remoteAddress) ?? '';
    return next();
  };
}

/** Returns the address in its shortest form, without port and zone; undefined if the text is not an address. */
function parseAddress(text: string | undefined): string | undefined {
  // Node would build and discard an exception for every request.
  if (!text) return undefined;
  const address = isIP(text) === 0 ? SocketAddress.parse(text)?.address : text.split('%')[0];
  if (address === undefined || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (!groups.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff) return shorten(address);
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Returns the network that limits count: an IPv4 address itself, or the /64 or /48 of an IPv6 address. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address).slice(0, bits / 16);
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/** Returns the form of RFC 5952, as the URL parser writes it. An IPv4 tail becomes groups. */
const shorten = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);

function groupsOf(address: string): number[] {
  const [head = [], tail = []] = shorten(address)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
