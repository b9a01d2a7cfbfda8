/** The routes of all pages. A page's file is loaded when the page is first opened. */
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import type { RouteComponent } from '@tanstack/react-router';
import { SSO_ERRORS } from '../../contract/values/constants.ts';
import { VALUE_SOURCES } from '../../contract/values/session-lists.ts';
import type { Scope } from '../../contract/values/scopes.ts';
import { conditionsOf } from './search/conditions.ts';
import { readLinkToken, storeLinkToken } from './server/link-token.ts';
import { methodsOptions } from './server/login.ts';
import { requireLogin } from './server/entry.ts';
import { queryClient } from './server/queries.ts';
import { history, workspaceRewrite } from './server/workspace.ts';
import * as pages from './pages/pages.ts';
import * as lists from './lists/search.ts';
import { parseSessionSearch } from './pages/session/session-search.ts';
import { Prompts } from './pages/login/dialogs.tsx';
import { clean, numberOf, oneOf, parseQuery, printQuery, textOf } from './search/parse.ts';
import { PERIODS } from './search/named-period.ts';
import { OVERVIEW_RANGES } from './search/period.ts';
import { Broken, NotFound, Pending } from './shell/fallbacks.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Prompts />
    </>
  ),
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: Broken,
});

const loadMethods = () => queryClient.query({ ...methodsOptions, staleTime: 'static' });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (raw) =>
    clean({ next: textOf(raw, 'next'), ended: textOf(raw, 'ended'), error: oneOf(raw, 'error', SSO_ERRORS) }),
  loader: async ({ location: { search } }) => {
    const methods = await loadMethods();
    // On a new installation, nobody can log in.
    if (!methods.has_accounts && methods.password && methods.registration !== 'closed')
      redirect({ to: '/register', search, replace: true, throw: true });
    return methods;
  },
  component: pages.LoginPage,
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: (raw) => clean({ next: textOf(raw, 'next') }),
  component: pages.RegisterPage,
});

const link = createRoute({
  getParentRoute: () => root,
  path: '/link',
  validateSearch: (raw) => clean({ next: textOf(raw, 'next'), needs: oneOf(raw, 'needs', ['code']) }),
  // The single sign-on adds the email address. Without it, the page was opened by a bookmark.
  beforeLoad: ({ location: { hash }, search: { next } }) =>
    hash === '' && redirect({ to: '/login', search: { next, error: 'sso_expired' }, replace: true, throw: true }),
  loader: loadMethods,
  component: pages.LinkPage,
});

const email = createRoute({
  getParentRoute: () => root,
  path: '/email',
  beforeLoad: ({ location }) => {
    storeLinkToken({ location });
    return requireLogin({ location });
  },
  loader: () => readLinkToken('/email'),
  component: pages.EmailPage,
});

/** Returns the route of a page that a link with a token opens, with or without a login. */
const linked = <const Path extends '/reset' | '/invitation' | '/shared'>(path: Path, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: storeLinkToken,
    loader: async () => ({ token: readLinkToken(path), methods: await loadMethods() }),
    component,
  });

const reset = linked('/reset', pages.ResetPage);
const invitation = linked('/invitation', pages.InvitationPage);
const shared = linked('/shared', pages.SharedPage);

/** Pages that require a login. */
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Shell });

/**
 * Returns the route of a page inside the shell. `validateSearch` reads its search parameters.
 * @param scope users whose role lacks it do not see the page.
 */
const at = <const Path extends string, Search extends object = object>(
  path: Path,
  component: RouteComponent,
  validateSearch?: (raw: Record<string, unknown>) => Search,
  scope?: Scope,
) => createRoute({ getParentRoute: () => inside, path, component, validateSearch, staticData: { scope } });

const overview = at('/', pages.OverviewPage, (raw) => clean({ range: oneOf(raw, 'range', OVERVIEW_RANGES) }));
const start = at(
  '/start',
  pages.StartPage,
  (raw) => clean({ assistant: textOf(raw, 'assistant'), session: textOf(raw, 'session') }),
  'requests:write',
);
const sessions = at('/sessions', pages.SessionsPage, lists.parseSessionsSearch);
const session = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$sessionId',
  component: pages.SessionPage,
  validateSearch: parseSessionSearch,
  // The former address of an attempt.
  beforeLoad: ({ search: { delivery: deliveryId, attempt } }) =>
    deliveryId !== undefined &&
    redirect({
      to: '/deliveries/$deliveryId',
      params: { deliveryId },
      search: { attempt },
      replace: true,
      throw: true,
    }),
});
const review = at('/review', pages.ReviewPage, lists.parseReviewSearch, 'reviews:write');
const compare = at('/sessions/$sessionId/compare', pages.ComparePage, (raw) => clean({ with: textOf(raw, 'with') }));
const deliveries = at('/deliveries', pages.DeliveriesPage, lists.parseDeliveriesSearch, 'webhooks:read');
const delivery = at(
  '/deliveries/$deliveryId',
  pages.DeliveryPage,
  (raw) => clean({ attempt: numberOf(raw, 'attempt') }),
  'webhooks:read',
);
const experiments = at('/experiments', pages.ExperimentsPage, lists.parseExperimentsSearch);
const newBatch = at('/batches/new', pages.NewBatchPage, lists.parseNewBatchSearch, 'sessions:write');
const batch = at('/batches/$batchId', pages.BatchPage, (raw) => clean({ changed: textOf(raw, 'changed') }));
const assistants = at('/assistants', pages.AssistantsPage);
const assistant = at('/assistants/$assistantId', pages.AssistantPage);
const versions = at('/assistants/$assistantId/versions', pages.VersionsPage, (raw) =>
  clean({ version: numberOf(raw, 'version'), with: numberOf(raw, 'with') }),
);
const results = at('/assistants/$assistantId/results', pages.ResultsPage, (raw) =>
  clean({
    range: oneOf(raw, 'range', PERIODS),
    by: textOf(raw, 'by'),
    question: textOf(raw, 'question'),
    version: numberOf(raw, 'version'),
    field: conditionsOf(raw),
    values: oneOf(raw, 'values', VALUE_SOURCES),
  }),
);
const lastResults = at('/results', pages.LastResultsPage);
const usage = at(
  '/usage',
  pages.UsagePage,
  (raw) => clean({ range: oneOf(raw, 'range', PERIODS), group: textOf(raw, 'group') }),
  'usage:read',
);
/** Former addresses. */
const formerBatches = createRoute({
  getParentRoute: () => inside,
  path: '/batches',
  validateSearch: lists.parseExperimentsSearch,
  beforeLoad: ({ search }) => redirect({ to: '/experiments', search, replace: true, throw: true }),
});
const formerSystem = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  beforeLoad: () => redirect({ to: '/settings/system', replace: true, throw: true }),
});

/** The "not found" page for unknown URLs, with the navigation. */
const unknown = at('$', NotFound);

const settings = at('/settings', pages.SettingsPage);
const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => redirect({ to: '/settings/workspace', throw: true }),
});
/** A part of the settings that has no search parameters. */
const part = <const Path extends string>(path: Path, component: RouteComponent, scope?: Scope) =>
  createRoute({ getParentRoute: () => settings, path, component, staticData: { scope } });

const workspace = part('/workspace', pages.WorkspacePage);
const members = part('/members', pages.MembersPage);
const tokens = part('/tokens', pages.TokensPage, 'keys:read');
const system = part('/system', pages.SystemPage);
const security = part('/security', pages.SecurityPage, 'account:read');
const account = part('/account', pages.AccountPage, 'account:read');
const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  staticData: { scope: 'audit:read' },
  validateSearch: (raw) => clean({ action: textOf(raw, 'action') }),
  component: pages.AuditPage,
});

/** Pages that take longer to load show a skeleton, so that every click has an effect within 200 ms. */
const PENDING_MS = 50;

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    register,
    reset,
    email,
    link,
    invitation,
    shared,
    inside.addChildren([
      ...[overview, start, sessions, session, review, compare, deliveries, delivery, assistants, assistant, versions],
      ...[formerBatches, experiments, newBatch, batch, results, lastResults, usage, formerSystem, unknown],
      settings.addChildren([settingsIndex, workspace, members, tokens, account, security, audit, system]),
    ]),
  ]),
  history,
  basepath: '/console',
  rewrite: workspaceRewrite,
  parseSearch: parseQuery,
  stringifySearch: printQuery,
  // Removes search parameters that a page does not accept, such as a field filter without an assistant.
  search: { strict: true },
  // Resets the state of a page when its parameters change, for example for another session.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: 'intent',
  defaultPendingMs: PENDING_MS,
  defaultPendingMinMs: 0,
  defaultPendingComponent: Pending,
  scrollRestoration: true,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: () => <NotFound />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Users whose role lacks it do not see the page. Default: every member sees the page. */
    scope?: Scope | undefined;
  }
}
