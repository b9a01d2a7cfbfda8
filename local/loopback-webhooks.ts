import type { Environment } from '../runtime/settings/environment.ts';
import { isLoopback } from '../runtime/network/loopback.ts';

const LOOPBACK_HOSTS = 'localhost,127.0.0.0/8,::1';

/**
 * Returns the default of `WEBHOOK_ALLOW_HOSTS`: loopback, to allow receivers on this machine. If the API can be reached from
 * other machines, returns no hosts and prints why: otherwise, anyone who registers could post to local services.
 * docs/decisions.md, "Webhook addresses".
 */
export function defaultAllowHosts(env: Environment, say: (line: string) => void): string {
  if (env['NODE_ENV'] === 'production') return '';
  const host = env['HOST'] || '127.0.0.1';
  if (isLoopback(host)) return LOOPBACK_HOSTS;
  if (env['WEBHOOK_ALLOW_HOSTS'] === undefined) {
    say(
      `Webhooks: addresses of this machine are refused, because HOST=${host} is not loopback. Allow them with WEBHOOK_ALLOW_HOSTS.`,
    );
  }
  return '';
}
