/** Schemas and rules for the values of settings. */
import { toAsciiDomain } from '../../contract/values/domain.ts';
import { isIP } from 'node:net';
import { z } from 'zod';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { isNetwork } from '../network/networks.ts';
import { isLoopback } from '../network/loopback.ts';

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Returns the settings, or undefined. Adds a sentence about each invalid one to the problems. */
export function checkSettings<S>(schema: z.ZodType<S>, env: object, problems: string[]): S | undefined {
  const { data, error } = schema.safeParse(env, {
    // Of a choice whose rule has no text of its own.
    error: (issue) => (issue.code === 'invalid_value' ? `must be ${OR.format(issue.values.map(String))}` : undefined),
  });
  problems.push(...(error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`) ?? []));
  return data;
}

/** Its description begins with what is counted. */
export const integer = (fallback: number, bounds: { min: number; max: number }) =>
  whole(fallback, bounds).default(fallback);

/** @param example shown if the value is not one. */
export function whole(example: number, { min, max }: { min: number; max: number }) {
  const error = `must be a whole number from ${min} to ${max}, such as ${example}, without a unit`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** Comma-separated values, trimmed. */
export const list = (fallback = '') =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    );

export const DNS_SERVER = /^(?:[\d.]+(?::\d+)?|\[[\da-fA-F:.]+\](?::\d+)?|[\da-fA-F:.]+)$/;

export const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true');

export const optional = () => z.string().optional();

/** Marks a setting as a secret, which can also come from a file: `<NAME>_FILE`. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), secret: true });

/** Returns whether a server can listen on it: an IP address or a host name, without a port or a scheme. */
export const isListenAddress = (value: string) =>
  isIP(value) !== 0 || URL.parse(`http://${value}/`)?.hostname === value.toLowerCase();

/** A URL without slashes at its end, to which paths are appended. */
export const baseUrl = () =>
  z
    .url({
      protocol: /^https?$/,
      error: 'must be a URL that begins with http:// or https://, such as http://127.0.0.1:11434',
    })
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
    .optional();

/** The URL of one PostgreSQL server, or of a socket: `postgresql://user@/name?host=/folder`. */
export const databaseUrl = () =>
  z
    .string({ error: 'is required' })
    .refine(
      isDatabaseUrl,
      'must be the postgresql:// URL of one server; encode special characters of the password, such as @ as %40, or set DATABASE_PASSWORD',
    );

function isDatabaseUrl(value: string): boolean {
  const url = URL.parse(value) ?? URL.parse(value.replace('@/', '@socket/'));
  // PostgreSQL's client ends the password at the first @.
  const isClear = !/^[^/]*\/\/[^/]*@[^/]*@/.test(value);
  return isClear && url !== null && /^postgres(ql)?:$/.test(url.protocol) && !url.hostname.includes(',');
}

/** A host, with or without a port. */
export const hostAndPort = () =>
  z.string({ error: 'is required' }).refine(isHostAndPort, 'must be host:port, such as temporal:7233');

const isHostAndPort = (value: string) =>
  /^(\[[\da-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?$/.test(value) && URL.canParse(`http://${value}`);

/** Returns an origin with a national domain as browsers send it. */
export const toAsciiOrigin = (value: string): string => {
  const [scheme, domain = '', port] = value.split(/(?<=\/\/)|(?=:\d+$)/);
  return `${scheme}${toAsciiDomain(domain)}${port ?? ''}`;
};

/** Returns whether the value is an origin as browsers send it: no path, no trailing slash, no default port. */
export const isOrigin = (value: string) =>
  value === '*' || (URL.parse(value)?.origin === value && !value.includes('*'));

/** Returns whether the value is an HTTP origin. */
export const isPublicUrl = (value: string) => /^https?:/.test(value) && value !== '*' && isOrigin(value);

/** Returns whether the value is an HTTPS URL, or an HTTP URL on loopback. */
export function isIssuer(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

/** Returns whether the value is a host in the form of `URL.hostname`. */
export const isHostName = (value: string) => URL.parse(`http://${value}/`)?.host === value;

/** A limit in US dollars; undefined: no limit. */
export const budget = () => {
  const error = 'must be an amount in US dollars, such as 250';
  return z.coerce.number({ error }).min(0, { error }).max(1e9, { error }).optional();
};

/** Hosts, addresses and networks that requests may reach although they are private. */
export const privateHosts = () =>
  list().pipe(
    z.array(
      z
        .string()
        .refine(
          (value) => isNetwork(value) || isHostName(value),
          'must be hosts, addresses or networks, such as crm.internal, 10.0.0.7 or 10.0.0.0/8, without http:// and port',
        ),
    ),
  );

export const isModelRule = (value: string) =>
  PROVIDERS.some((name) => value.startsWith(`${name}/`) && value.length > name.length + 1);

export const isJwtSecret = (value: string) => value.length >= 32;
export const isEncryptionKey = (value: string) => Buffer.from(value, 'base64').length === 32;
