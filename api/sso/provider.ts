/** Talks to the OpenID Connect provider: authorization code flow with PKCE, state, nonce and the issuer of RFC 9207. */
import * as client from 'openid-client';
import type { Config } from '../../runtime/settings/config.ts';
import { isLoopback } from '../../runtime/network/loopback.ts';
import { createProviderFetch } from '../../runtime/outbound/provider-fetch.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import type { Claims } from './claims.ts';
import { createClientAuthentication } from './client-authentication.ts';
import { readRefusal } from './failure.ts';
import { gatherClaims } from './gather-claims.ts';

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
  /** Returns the claims of a person who signed in, and the ID token. Throws if any check fails. */
  finish(
    query: Record<string, unknown>,
    pending: Pending,
    options: { isProof: boolean },
  ): Promise<{ claims: Claims; idToken: string }>;
  /** Returns the address where the person logs out of the provider, which may need the ID token; undefined if it has none. */
  end(idToken: string | undefined): Promise<string | undefined>;
}

export function createSsoProvider(settings: Settings, log: Log): SsoProvider {
  const { issuer, clientId, redirectUri } = settings;
  const authentication = createClientAuthentication(settings);
  const fetch = createProviderFetch(MAX_RESPONSE_BYTES, settings.proxies);
  const proxiedFetch: client.CustomFetch = (url, options) => fetch(url, options as RequestInit);
  let discovered: { at: number; config: client.Configuration } | undefined;

  /** Runs at the first sign-in, because an unavailable provider must not prevent the start. */
  async function discover(): Promise<client.Configuration> {
    if (discovered && performance.now() - discovered.at < DISCOVERED_MS) return discovered.config;
    const execute = [client.enableNonRepudiationChecks];
    if (isLoopback(new URL(issuer).hostname)) execute.push(allowHttp);
    const options = { timeout: DISCOVERY_TIMEOUT_S, execute, [client.customFetch]: proxiedFetch };
    const config = await client.discovery(new URL(issuer), clientId, undefined, authentication.authenticate, options);
    discovered = { at: performance.now(), config };
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
      const getTokens = () =>
        client.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          ...(isProof && { maxAge: PROOF_MAX_AGE_S }),
        });
      const method = authentication.present();
      const tokens = await getTokens()
        .catch(async (error: unknown) => {
          const { error: refusal } = await readRefusal(error);
          if (refusal === 'invalid_client' && authentication.useOther(method)) return getTokens();
          throw error;
        })
        .catch(async (error: unknown) => {
          throw Object.assign(error as Error, await readRefusal(error));
        });
      const claims = await gatherClaims({ settings, log, config }, tokens);
      return { claims, idToken: tokens.id_token ?? '' };
    },

    async end(idToken) {
      const config = await discover();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const hint = idToken === undefined ? {} : { id_token_hint: idToken };
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: settings.loggedOutUri, ...hint }).href;
    },
  };
}

// Deprecated by its authors as a warning: it is used for a provider on this machine only.
// oxlint-disable-next-line typescript/no-deprecated
const allowHttp = client.allowInsecureRequests;
