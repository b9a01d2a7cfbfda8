/** Single sign-on with the habits of providers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration } from 'oidc-provider';
import { createClientAuthentication } from '../../../api/sso/client-authentication.ts';
import { UserModel } from '../../../db/models/user.ts';
import type { Environment } from '../../../runtime/settings/environment.ts';
import { startTestApi } from '../../support/api.ts';
import { recordedLog } from '../../support/log.ts';
import { newPerson, startOidc, type OidcPerson } from '../../support/oidc.ts';
import { openAt, PUBLIC_URL, signInAt } from '../../support/sso-browser.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

type Habits = NonNullable<Parameters<typeof startOidc>[1]>;

describe('Single sign-on with a provider', () => {
  /** Signs a new person in. Returns the page that opens, and the log. */
  async function signIn(
    habits: Habits,
    { env = {}, person = newPerson() }: { env?: Environment; person?: OidcPerson } = {},
  ) {
    const idp = await stopAfterTest(startOidc(PUBLIC_URL, habits));
    const { log, find, text } = recordedLog();
    const api = await stopAfterTest(startTestApi({ env: { ...idp.env, OIDC_AUTO_CREATE: 'true', ...env }, log }));
    const { location } = await signInAt(api, (url) => idp.signIn(url, person));
    return { location, find, text };
  }

  const IN = '/console/';
  const REFUSED = '/console/login?error=sso_refused';

  const withClient =
    (fields: object) =>
    (configuration: Configuration): Configuration => ({
      ...configuration,
      clients: (configuration.clients ?? []).map((client) => ({ ...client, ...fields })),
    });

  const onlyMethods = (...methods: string[]): Habits => ({
    adjust: (configuration) => ({
      ...withClient({ token_endpoint_auth_method: methods[0] })(configuration),
      clientAuthMethods: methods as never,
    }),
  });

  it('sends the client secret as the provider wants it: by its metadata, or after a refusal', async () => {
    for (const [what, habits, env] of [
      ['only Basic', onlyMethods('client_secret_basic')],
      ['only post', onlyMethods('client_secret_post')],
      ['both, registered for Basic', { adjust: withClient({ token_endpoint_auth_method: 'client_secret_basic' }) }],
      ['both, registered for post', {}],
      ['set to post', onlyMethods('client_secret_post', 'client_secret_basic'), { OIDC_TOKEN_AUTH: 'post' }],
    ] as [string, Habits, Environment?][]) {
      expect((await signIn(habits, env ? { env } : {})).location, what).to.equal(IN);
    }
  });

  it('logs what the provider says of a refusal', async () => {
    const { location, find } = await signIn({}, { env: { OIDC_CLIENT_SECRET: 'another' } });
    expect(location).to.equal(REFUSED);
    expect(find('single sign-on failed')[0]).to.include({ error: 'invalid_client', status: 401 });
    expect(find('single sign-on failed')[0]).to.have.property('error_description').that.is.a('string');
  });

  it('names the methods of a provider that accepts no client secret', async () => {
    const { location, find } = await signIn({
      answers: discovery((metadata) => ({ ...metadata, token_endpoint_auth_methods_supported: ['private_key_jwt'] })),
    });
    expect(location).to.equal(REFUSED);
    expect(find('single sign-on failed')[0]?.['reason']).to.contain('private_key_jwt');
  });

  it('needs no userinfo if the ID token is complete, and uses the ID token if userinfo fails', async () => {
    const inIdToken = (configuration: Configuration): Configuration => ({
      ...configuration,
      conformIdTokenClaims: false,
    });
    for (const status of [403, 500]) {
      const answers = (request: IncomingMessage, response: ServerResponse) => {
        if (request.url !== '/me') return false;
        response.writeHead(status).end();
        return true;
      };
      expect((await signIn({ adjust: inIdToken, answers })).location, String(status)).to.equal(IN);
      const withGroups = { env: { OIDC_ALLOWED_GROUPS: 'staff' } };
      expect((await signIn({ adjust: inIdToken, answers }, withGroups)).location, 'groups are needed').to.equal(
        REFUSED,
      );
    }
  });

  it('asks userinfo whether the address is verified if the ID token has the address alone', async () => {
    const addressAlone = (configuration: Configuration): Configuration => ({
      ...configuration,
      conformIdTokenClaims: false,
      async findAccount(context, id, token) {
        const account = await configuration.findAccount?.(context, id, token);
        return (
          account && {
            ...account,
            async claims(use, ...rest) {
              const claims = await account.claims(use, ...rest);
              return use === 'id_token' ? { ...claims, email_verified: undefined } : claims;
            },
          }
        );
      },
    });
    expect((await signIn({ adjust: addressAlone })).location).to.equal(IN);
  });

  it('takes an address as verified only from the answer that has both', async () => {
    const [victim, mallory] = [newPerson(), newPerson()];
    const different = (configuration: Configuration): Configuration => ({
      ...configuration,
      conformIdTokenClaims: false,
      async findAccount(context, id, token) {
        const account = await configuration.findAccount?.(context, id, token);
        return (
          account && {
            ...account,
            claims: async (use, ...rest) => ({
              ...(await account.claims(use, ...rest)),
              ...(use === 'id_token' && { email: victim.email, email_verified: undefined }),
            }),
          }
        );
      },
    });
    expect((await signIn({ adjust: different }, { person: mallory })).location).to.equal(IN);
    const emails = [victim, mallory].map(({ email }) => email.toLowerCase());
    const users = await UserModel.query().whereIn('email', emails);
    expect(users.map(({ email }) => email)).to.deep.equal([mallory.email.toLowerCase()]);
    for (const email_verified of ['yes', ['true'], 1])
      expect((await signIn({}, { person: newPerson({ email_verified: email_verified as never }) })).location).to.equal(
        '/console/login?error=email_unverified',
      );
  });

  it('signs in two people at once while the method of the client is unknown', () => {
    const authentication = createClientAuthentication({ clientSecret: 'secret', tokenAuth: 'auto' });
    const server = { issuer: '', token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] };
    const request = () => {
      const method = authentication.present();
      authentication.authenticate(server, { client_id: 'id' }, new URLSearchParams(), new Headers());
      return method;
    };
    const methods = [request(), request()];
    expect(methods.map((method) => authentication.useOther(method))).to.deep.equal([true, true]);
    expect(authentication.useOther(request()), 'refused with both').to.equal(false);
  });

  it('reads the address from OIDC_EMAIL_CLAIM, and logs which claim is missing', async () => {
    const person = { ...newPerson(), upn: `${crypto.randomUUID()}@example.com` };
    const adjust = (configuration: Configuration): Configuration => ({
      ...configuration,
      claims: { ...configuration.claims, email: ['upn'] },
    });
    const env = { OIDC_TRUST_EMAIL: 'true' };
    const without = await signIn({ adjust }, { env, person });
    expect(without.location).to.contain('email_unverified');
    expect(without.text()).to.contain('set OIDC_EMAIL_CLAIM');
    const withClaim = { env: { ...env, OIDC_EMAIL_CLAIM: 'upn' }, person };
    expect((await signIn({ adjust }, withClaim)).location).to.equal(IN);
    const untrusted = { env: { OIDC_EMAIL_CLAIM: 'upn' }, person: { ...person, sub: 'another' } };
    expect((await signIn({ adjust }, untrusted)).location).to.contain('email_unverified');
  });

  it('logs that groups were left out because there are too many', async () => {
    const person = { ...newPerson(), groups: undefined, _claim_names: { groups: 'src1' } };
    const adjust = (configuration: Configuration): Configuration => ({
      ...configuration,
      claims: { ...configuration.claims, profile: ['name', 'groups', '_claim_names'] },
    });
    const { location, text } = await signIn({ adjust }, { env: { OIDC_ALLOWED_GROUPS: 'staff' }, person });
    expect(location).to.equal(REFUSED);
    expect(text()).to.contain('OIDC_GROUPS_CLAIM=roles');
  });

  it('logs both issuers if they differ, such as by a slash at the end', async () => {
    const idp = await stopAfterTest(
      startOidc(PUBLIC_URL, {
        answers: discovery((metadata) => ({ ...metadata, issuer: `${String(metadata['issuer'])}/calls/` })),
      }),
    );
    const { log, find } = recordedLog();
    const api = await stopAfterTest(startTestApi({ env: idp.env, log }));
    expect((await openAt(api, 'start')).location).to.equal('/console/login?error=sso_unavailable');
    expect(JSON.stringify(find('single sign-on failed')[0]))
      .to.contain(`"${idp.issuer}/calls/"`)
      .and.contain('OIDC_ISSUER');
  });

  it('names the setting of a provider that does not say whether it verified the address', async () => {
    const person = { ...newPerson(), email_verified: undefined } as unknown as OidcPerson;
    const { location, text } = await signIn({}, { person });
    expect(location).to.contain('email_unverified');
    expect(text()).to.contain('OIDC_TRUST_EMAIL');
    expect((await signIn({}, { person, env: { OIDC_TRUST_EMAIL: 'true' } })).location).to.equal(IN);
  });

  it('names the algorithm and what to set if ID tokens are signed with the client secret', async () => {
    const secret = 'a-client-secret-of-more-than-32-characters';
    const adjust = (configuration: Configuration): Configuration => ({
      ...withClient({ client_secret: secret, id_token_signed_response_alg: 'HS256' })(configuration),
      enabledJWA: { idTokenSigningAlgValues: ['HS256', 'RS256'] },
    });
    const answers = discovery((metadata) => ({ ...metadata, id_token_signing_alg_values_supported: ['HS256'] }));
    for (const habits of [{ adjust }, { adjust, answers }]) {
      const { location, find } = await signIn(habits, { env: { OIDC_CLIENT_SECRET: secret } });
      expect(location).to.equal(REFUSED);
      expect(find('single sign-on failed')[0]).to.include({ algorithm: 'HS256' });
      expect(find('single sign-on failed')[0]?.['advice']).to.contain('signing key');
    }
  });

  it('sends the ID token when the person logs out of the provider, once', async () => {
    const idp = await stopAfterTest(startOidc());
    const api = await stopAfterTest(startTestApi({ env: { ...idp.env, OIDC_AUTO_CREATE: 'true' } }));
    const { cookies } = await signInAt(api, (url) => idp.signIn(url, newPerson()));
    const hintOf = ({ location }: { location: string }) => new URL(location).searchParams.get('id_token_hint');
    const end = await openAt(api, 'end', cookies);
    expect(hintOf(end)?.split('.')).to.have.length(3);
    expect(JSON.stringify(cookies)).not.to.contain(hintOf(end));
    expect(hintOf(await openAt(api, 'end', end.cookies))).to.equal(null);
    expect(hintOf(await openAt(api, 'end', { cas_oidc_id_token: 'forged' }))).to.equal(null);
  });

  /** Changes the provider's metadata. */
  function discovery(change: (metadata: Record<string, unknown>) => object): NonNullable<Habits['answers']> {
    return (request, response) => {
      if (!request.url?.startsWith('/.well-known/') || request.headers['x-plain'] !== undefined) return false;
      const url = `http://${request.headers.host}${request.url}`;
      void fetch(url, { headers: { 'X-Plain': '1' } })
        .then((answer) => answer.json())
        .then((metadata) => {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify(change(metadata as Record<string, unknown>)));
        });
      return true;
    };
  }
});
