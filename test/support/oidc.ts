/** A real OpenID Connect provider on loopback, and a browser that signs in there. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { API_BASE } from '../../contract/values/constants.ts';
import { followToService, PUBLIC_URL } from './sso-browser.ts';

export interface OidcPerson {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[] | undefined;
  /** How the person authenticates. */
  acr?: string;
}

/** Returns a new person. */
export function newPerson(fields: Partial<OidcPerson> = {}): OidcPerson {
  const email = `${randomUUID()}@example.com`;
  return { sub: randomUUID(), email, email_verified: true, name: 'Grace', ...fields };
}

interface OidcHabits {
  /** Changes the provider's configuration. */
  adjust?: (configuration: Configuration) => Configuration;
  /** Answers a request itself. Returns whether it did. */
  answers?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** @param publicUrl public URL of the API that uses this provider. */
export async function startOidc(
  publicUrl = PUBLIC_URL,
  { adjust = (same) => same, answers = () => false }: OidcHabits = {},
) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, OidcPerson>();
  let signingIn = '';
  let isAway = false;
  const provider = new Provider(issuer, adjust(configurationOf(publicUrl, (id) => people.get(id))));
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isAway) return void request.destroy();
    if (answers(request, response)) return;
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const { acr } = people.get(signingIn) ?? {};
    void provider.interactionFinished(request, response, { login: { accountId: signingIn, ...(acr && { acr }) } });
  });

  return {
    issuer,
    /** Settings for an API that uses this provider. */
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'calls', OIDC_CLIENT_SECRET: 'of-the-client', PUBLIC_URL: publicUrl },
    /** The next sign-ins are by this person, without a form. */
    expect(person: OidcPerson) {
      people.set(person.sub, person);
      signingIn = person.sub;
    },
    /** Signs in at the provider. Returns the query of the callback. */
    async signIn(url: string, person: OidcPerson): Promise<URLSearchParams> {
      this.expect(person);
      return followToService(url, {});
    },
    /** With true, the provider aborts every request until the next call with false. */
    setAway(value: boolean) {
      isAway = value;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Oidc = Awaited<ReturnType<typeof startOidc>>;

const SCOPES = 'openid email profile';

function configurationOf(publicUrl: string, find: (id: string) => OidcPerson | undefined): Configuration {
  return {
    clients: [
      {
        client_id: 'calls',
        client_secret: 'of-the-client',
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${publicUrl}${API_BASE}/v1/auth/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/console/login`],
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
