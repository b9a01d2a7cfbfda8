/** Starts an API for sign-in in a browser, with a provider and a mail server. Its public URL is its own address. */
import type { Environment } from '../../runtime/settings/environment.ts';
import { startTestApi } from './api.ts';
import { startOidc } from './oidc.ts';
import { startSmtp } from './smtp.ts';
import { startTcpProxy } from './tcp-proxy.ts';

export async function startSignInApi(env: Environment = {}) {
  // The port must be known before the API starts, because its settings contain the public URL.
  const target = { port: 0 };
  const front = await startTcpProxy(target);
  const url = `http://127.0.0.1:${front.port}`;
  const [idp, smtp] = await Promise.all([startOidc(url), startSmtp()]);
  const own = { PUBLIC_URL: url, OIDC_NAME: 'Keycloak', OIDC_AUTO_CREATE: 'true' };
  const api = await startTestApi({ env: { ...smtp.env, ...idp.env, ...own, ...env } });
  target.port = Number(new URL(api.url).port);
  return {
    url,
    idp,
    smtp,
    async stop() {
      // Otherwise, open connections of the browser would delay the stop.
      await front.stop();
      await Promise.all([api.stop(), idp.stop(), smtp.stop()]);
    },
  };
}
