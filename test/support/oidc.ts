/** A real OpenID Connect provider on loopback, and a browser that signs in there. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import { API_BASE } from '../../contract/constants.ts';

export interface OidcPerson {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[] | undefined;
  /** How the person authenticates. */
  acr?: string;
}

/** A person whom the provider does not know yet. */
export function newPerson(fields: Partial<OidcPerson> = {}): OidcPerson {
  const email = `${randomUUID()}@example.com`;
  return { sub: randomUUID(), email, email_verified: true, name: 'Grace', ...fields };
}

/** @param publicUrl of the API that uses this provider. */
export async function startOidc(publicUrl = 'https://calls.example.com') {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, OidcPerson>();
  let signingIn = '';
  let isAway = false;
  const provider = new Provider(
    issuer,
    configurationOf(publicUrl, (id) => people.get(id)),
  );
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isAway) return void request.destroy();
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const { acr } = people.get(signingIn) ?? {};
    void provider.interactionFinished(request, response, { login: { accountId: signingIn, ...(acr && { acr }) } });
  });

  return {
    issuer,
    /** The settings of an API that uses this provider. */
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'calls', OIDC_CLIENT_SECRET: 'of-the-client', PUBLIC_URL: publicUrl },
    /** Lets whoever comes sign in as this person. */
    expect(person: OidcPerson) {
      people.set(person.sub, person);
      signingIn = person.sub;
    },
    /** Signs in at the provider. Returns the query of the callback. */
    async signIn(url: string, person: OidcPerson): Promise<URLSearchParams> {
      this.expect(person);
      const jar = new Map<string, string>();
      for (let next = url; ;) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const { headers, status } = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const set of headers.getSetCookie()) {
          const [name = '', value = ''] = set.split(';')[0]?.split(/=(.*)/) ?? [];
          jar.set(name, value);
        }
        const location = headers.get('location');
        if (location === null) throw new Error(`the provider answered ${status} at ${next}`);
        if (location.startsWith(publicUrl)) return new URL(location).searchParams;
        next = new URL(location, issuer).href;
      }
    },
    /** Breaks off every request until it is called with false. */
    setAway(value: boolean) {
      isAway = value;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SCOPES = 'openid email profile';

function configurationOf(publicUrl: string, find: (id: string) => OidcPerson | undefined): Configuration {
  return {
    clients: [
      {
        client_id: 'calls',
        client_secret: 'of-the-client',
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${publicUrl}${API_BASE}/v1/auth/oidc/callback`],
      },
    ],
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub', 'acr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...find(accountId), sub: accountId }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: 'calls', accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  };
}
