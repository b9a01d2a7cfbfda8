import * as contract from '../../contract/account/sso.ts';
import type { SsoError } from '../../contract/values/constants.ts';
import { UserModel } from '../../db/models/user.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import { requirePerson, requireProof } from '../guard/authenticate.ts';
import { handle } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { complete, pageBefore, type Intent } from './complete.ts';
import { identityRoutes } from './identity-routes.ts';
import { describeFailure } from './failure.ts';
import { createSsoProvider, type Pending, type SsoProvider } from './provider.ts';
import { clearCookie, clearIdToken, keepIdToken, openCookie, readIdToken, sealCookie } from './sealed-cookies.ts';

/** What a start stores for its callback. */
type Transaction = Intent & Pending & { next: string };

/** A cookie for each start, so that two tabs do not disturb each other. */
const cookieOf = (state: string) => ({ kind: 'transaction', name: `__Host-cas_oidc_${state.slice(0, 10)}` }) as const;

export function ssoRoutes(deps: ApiDeps) {
  const { sso } = deps.config;
  const provider = sso && createSsoProvider(sso, deps.log);

  function requireProvider(): SsoProvider {
    if (provider) return provider;
    throw refusal('no_single_sign_on');
  }

  /** Returns the provider's address and the cookie for the callback; undefined if the provider is not available. */
  async function begin(intent: Intent & { next: string }) {
    try {
      const { url, pending } = await requireProvider().begin({ isProof: intent.intent === 'proof' });
      return {
        url,
        cookie: sealCookie(deps, cookieOf(pending.state), { ...intent, ...pending } satisfies Transaction),
      };
    } catch (error) {
      logFailure(deps, error);
      return undefined;
    }
  }

  return [
    ...identityRoutes(deps),

    handle(contract.getLoginMethods, async () => {
      const { passwordLogin, registration } = deps.config;
      const password = passwordLogin !== 'off';
      return {
        password,
        registration: passwordLogin === 'on' ? registration : 'closed',
        has_accounts: (await UserModel.query().select('id').first()) !== undefined,
        password_reset: password && deps.mailer !== undefined,
        sso: sso ? { name: sso.name } : null,
      };
    }),

    handle(contract.startSso, async ({ query: { next = '/', iss } }) => {
      requireProvider();
      if (iss !== undefined && iss !== sso?.issuer) return openPage('/login', 'sso_refused');
      const begun = await begin({ intent: 'login', next });
      if (!begun) return openPage(pageBefore(next, '/login'), 'sso_unavailable');
      return new Reply(undefined, { headers: { Location: begun.url, 'Set-Cookie': begun.cookie } });
    }),

    handle(contract.startSsoAction, async ({ body: { intent, next = '/' }, userId, login }) => {
      requireProvider();
      const { id: loginId } = intent === 'link' ? requireProof(login) : requirePerson(login);
      const begun = await begin({ intent, next, userId, loginId });
      if (!begun) throw refusal('single_sign_on_down');
      return new Reply({ url: begun.url }, { headers: { 'Set-Cookie': begun.cookie } });
    }),

    handle(contract.finishSso, async ({ query, cookie, ...client }) => {
      requireProvider();
      const stored = cookieOf(query.state ?? '');
      const { name } = stored;
      const transaction = openCookie(deps, stored, cookie(name)) as Transaction | undefined;
      if (!transaction) return openPage('/login', 'sso_expired');
      const isProof = transaction.intent === 'proof';
      const signedIn = await requireProvider()
        .finish(query, transaction, { isProof })
        .catch((error: unknown) => logFailure(deps, error));
      if (!signedIn) {
        const { intent, next } = transaction;
        const page = intent === 'login' ? pageBefore(next, '/login') : next;
        return openPage(page, 'sso_refused', [clearCookie(name)]);
      }
      const { claims, idToken } = signedIn;
      const { page = transaction.next, error, cookies = [] } = await complete(deps, claims, transaction, client);
      return openPage(page, error, [...cookies, clearCookie(name), ...keepIdToken(deps, idToken)]);
    }),

    handle(contract.endSso, async ({ cookie }) => {
      const url = await requireProvider()
        .end(readIdToken(deps, cookie))
        .catch((error: unknown) => logFailure(deps, error));
      if (url === undefined) return openPage('/login');
      return new Reply(undefined, { headers: { Location: url, 'Set-Cookie': clearIdToken() } });
    }),
  ];
}

/** Returns a redirect to a page of the console. */
function openPage(page: string, error?: SsoError, cookies: string[] = []): Reply<undefined> {
  const query = error === undefined ? '' : `${page.includes('?') ? '&' : '?'}error=${error}`;
  // A header contains printable ASCII only. Characters that are encoded already stay as they are.
  const location = encodeURI(`/console${page}${query}`.toWellFormed()).replaceAll('%25', '%');
  return new Reply(undefined, { headers: { Location: location, 'Set-Cookie': cookies } });
}

function logFailure({ log }: Pick<ApiDeps, 'log'>, error: unknown): undefined {
  log.warn(describeFailure(error), 'single sign-on failed');
}
