/** The settings of HTTP proxies. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from '../network/loopback.ts';
import { isNetwork, matchNetworks } from '../network/networks.ts';
import { optional } from './setting-rules.ts';

/** Like curl, accepts a proxy without `http://`. */
const proxyUrl = () =>
  z
    .string()
    .transform((value) => (value.includes('://') ? value : `http://${value}`))
    .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be a URL such as http://proxy:3128')
    .optional();

export const proxies = {
  HTTPS_PROXY: proxyUrl().describe('Proxy for HTTPS requests to providers and for sign-in only.'),
  HTTP_PROXY: proxyUrl().describe('The same for HTTP requests, and for HTTPS requests without `HTTPS_PROXY`.'),
  NO_PROXY: optional()
    .refine((value) => networksOf(value).every(isNetwork), 'holds a network that is not written as address/prefix')
    .describe(
      'Hosts, addresses and networks (`10.0.0.0/8`) without a proxy, comma-separated; `.example.com`: all hosts of the domain.',
    ),
};

const networksOf = (noProxy = '') => noProxy.split(/[,\s]+/).filter((entry) => entry.includes('/'));

/** Returns whether requests to a host use no proxy because of its address. undici compares the names of `NO_PROXY`, but no networks. */
export function createProxyBypass(noProxy: string | undefined): (hostname: string) => boolean {
  const isInNetwork = matchNetworks(networksOf(noProxy).filter(isNetwork));
  return (hostname) => {
    const host = hostname.replaceAll(/^\[|[\].]$/g, '');
    return isLoopback(host) || (isIP(host) !== 0 && isInNetwork(host));
  };
}

/** Returns the environment with the variables of proxies that are set in lower case, as for most programs. */
export function withProxyNames<E extends Record<string, string | undefined>>(env: E): E {
  const lower = Object.keys(proxies).filter((name) => env[name.toLowerCase()]);
  return Object.assign({ ...env }, Object.fromEntries(lower.map((name) => [name, env[name.toLowerCase()]])));
}

type ProxySettings = { [Name in keyof typeof proxies]?: string | undefined };

/** Returns the proxies for providers and sign-in. */
export const readProxies = ({ HTTPS_PROXY = '', HTTP_PROXY = '', NO_PROXY = '' }: ProxySettings) => ({
  httpsProxy: HTTPS_PROXY,
  httpProxy: HTTP_PROXY,
  noProxy: NO_PROXY,
});
