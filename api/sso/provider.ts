/** Talks to the OpenID Connect provider: authorization code flow with PKCE, state, nonce and the issuer of RFC 9207. */
import * as client from 'openid-client';
import type { Config } from '../../runtime/config.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import { createProviderFetch } from '../../runtime/outbound/provider-fetch.ts';
import type { Claims } from './claims.ts';

type Settings = NonNullable<Config['sso']>;

const DISCOVERY_TIMEOUT_S = 5;
const MAX_RESPONSE_BYTES = 1024 ** 2;
const DISCOVERED_MS = 3_600_000;

/** How long ago the person may have authenticated at the provider for a proof of identity. */
const PROOF_MAX_AGE_S = 300;

/** What the callback needs of its start. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

export interface SsoProvider {
  /** Returns the address to open. With `isProof`, the person must authenticate again. */
  begin(options: { isProof: boolean }): Promise<{ url: string; pending: Pending }>;
  /** Returns the claims of a person who signed in. Throws if any check fails. */
  finish(query: Record<string, unknown>, pending: Pending, options: { isProof: boolean }): Promise<Claims>;
  /** Returns the address where the person logs out of the provider; undefined if it has none. */
  end(): Promise<string | undefined>;
}

export function createSsoProvider(settings: Settings): SsoProvider {
  const { issuer, clientId, clientSecret, redirectUri } = settings;
  const fetch = createProviderFetch(MAX_RESPONSE_BYTES, settings.proxies);
  const proxiedFetch: client.CustomFetch = (url, options) => fetch(url, options as RequestInit);
  let discovered: { at: number; config: client.Configuration } | undefined;

  /** Runs at the first sign-in, because an unavailable provider must not prevent the start. */
  async function discover(): Promise<client.Configuration> {
    if (discovered && Date.now() - discovered.at < DISCOVERED_MS) return discovered.config;
    const execute = [client.enableNonRepudiationChecks];
    if (isLoopback(new URL(issuer).hostname)) execute.push(allowHttp);
    const authentication = clientSecret === undefined ? client.None() : undefined;
    const options = { timeout: DISCOVERY_TIMEOUT_S, execute, [client.customFetch]: proxiedFetch };
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, authentication, options);
    discovered = { at: Date.now(), config };
    return config;
  }

  return {
    async begin({ isProof }) {
      const config = await discover();
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(isProof && { prompt: 'login', max_age: '0' }),
      });
      return { url: url.href, pending };
    },

    async finish(query, { state, nonce, verifier }, { isProof }) {
      const config = await discover();
      const url = new URL(redirectUri);
      for (const [name, value] of Object.entries(query))
        if (typeof value === 'string') url.searchParams.set(name, value);
      const tokens = await client.authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        ...(isProof && { maxAge: PROOF_MAX_AGE_S }),
      });
      const idToken = tokens.claims();
      if (!idToken) throw new Error('the provider returned no ID token');
      const isComplete = idToken['email'] !== undefined && idToken[settings.groupsClaim] !== undefined;
      const hasMore = !isComplete && config.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, idToken.sub) : {};
      return readClaims({ ...more, ...idToken }, idToken, settings);
    },

    async end() {
      const config = await discover();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: settings.loggedOutUri }).href;
    },
  };
}

// Deprecated by its authors as a warning: it is used for a provider on this machine only.
// oxlint-disable-next-line typescript/no-deprecated
const allowHttp = client.allowInsecureRequests;

/** PostgreSQL stores no such character. */
const NUL = '\u0000';

function readClaims(
  all: Record<string, unknown>,
  { iss, sub }: { iss: string; sub: string },
  { groupsClaim, strongAcr, trustsEmail }: Settings,
): Claims {
  // Removing the NUL from a subject or an address could make it that of another person.
  if (sub === '' || sub.includes(NUL)) throw new Error('the provider reported no valid subject');
  const groups = all[groupsClaim];
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' && !value.includes(NUL) ? value : null);
  const hasStrongAcr = strongAcr.includes(textOf(all['acr']) ?? '');
  return {
    issuer: iss,
    subject: sub,
    email: textOf(all['email']),
    // Some providers send the text "true".
    isEmailVerified: trustsEmail || String(all['email_verified']) === 'true',
    name: textOf(all['name']),
    groups:
      groups === undefined
        ? undefined
        : [groups]
            .flat()
            .map(String)
            .filter((group) => !group.includes(NUL)),
    isStrong: hasStrongAcr || (Array.isArray(all['amr']) && all['amr'].includes('mfa')),
  };
}
