/** The settings of HTTP proxies. */
import { z } from 'zod';
import { optional } from './setting-rules.ts';

/** Like curl, accepts a proxy without `http://`. */
const proxyUrl = () =>
  z
    .string()
    .transform((value) => (value.includes('://') ? value : `http://${value}`))
    .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be a URL such as http://proxy:3128')
    .optional();

export const proxies = {
  HTTPS_PROXY: proxyUrl().describe(
    'Proxy for HTTPS requests to providers and for sign-in. Webhooks, `audio_url`, PostgreSQL, Temporal, S3 and email never use it.',
  ),
  HTTP_PROXY: proxyUrl().describe('The same for HTTP requests, and for HTTPS requests without `HTTPS_PROXY`.'),
  NO_PROXY: optional().describe(
    'Hosts without a proxy, comma-separated; `.example.com`: all hosts of the domain. Loopback never uses a proxy.',
  ),
};

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
  noProxy: `${NO_PROXY},localhost,127.0.0.1,::1`,
});
