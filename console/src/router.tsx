/** Every page and its address. Each is loaded when it is first needed. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { getSessionOptions } from '../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { isUnauthorized } from './server/problem.ts';
import { loginOptions } from './server/login.ts';
import { queryClient } from './server/queries.ts';
import { parseBatchesSearch } from './pages/batches/batches-search.ts';
import { parseStartSearch } from './pages/start/start-search.ts';
import { parseOverviewSearch } from './pages/overview/overview-search.ts';
import { parseSessionSearch } from './pages/session/session-search.ts';
import { parseDeliveriesSearch } from './pages/deliveries/search.ts';
import { parseSessionsSearch } from './pages/sessions/search.ts';
import { clean, numberOf, parseQuery, printQuery, textOf } from './search/parse.ts';
import { parseResultsSearch } from './pages/results/results-search.ts';
import { parseUsageSearch } from './pages/usage/usage-search.ts';
import { Broken, NoPage, NotFound } from './shell/fallbacks.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ notFoundComponent: NoPage, errorComponent: Broken });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (raw) => clean({ next: textOf(raw, 'next'), ended: textOf(raw, 'ended') }),
  component: lazyRouteComponent(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: (raw) => clean({ next: textOf(raw, 'next') }),
  component: lazyRouteComponent(() => import('./pages/register/register-page.tsx'), 'RegisterPage'),
});

/** Pages that need a login; who has none logs in and comes back. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.query({ ...loginOptions, staleTime: 'static' });
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      const next = location.href === '/' ? undefined : location.href;
      redirect({ to: '/login', search: clean({ next }), throw: true });
    }
  },
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  validateSearch: parseOverviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/start',
  validateSearch: parseStartSearch,
  component: lazyRouteComponent(() => import('./pages/start/start-page.tsx'), 'StartPage'),
});

const sessions = createRoute({
  getParentRoute: () => inside,
  path: '/sessions',
  validateSearch: parseSessionsSearch,
  component: lazyRouteComponent(() => import('./pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$sessionId',
  validateSearch: parseSessionSearch,
  // The session is asked for while the page is loaded, and not after it; a link that is only pointed at asks for nothing.
  loader: ({ params: { sessionId }, preload }) => {
    const options = getSessionOptions({ path: { id: sessionId } });
    // The page itself says what went wrong.
    if (!preload) queryClient.query({ ...options, staleTime: 'static' }).catch(() => undefined);
  },
  component: lazyRouteComponent(() => import('./pages/session/session-page.tsx'), 'SessionPage'),
});

const compare = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$sessionId/compare',
  validateSearch: (raw) => clean({ with: textOf(raw, 'with') }),
  component: lazyRouteComponent(() => import('./pages/compare/compare-page.tsx'), 'ComparePage'),
});

const deliveries = createRoute({
  getParentRoute: () => inside,
  path: '/deliveries',
  validateSearch: parseDeliveriesSearch,
  component: lazyRouteComponent(() => import('./pages/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
});

const delivery = createRoute({
  getParentRoute: () => inside,
  path: '/deliveries/$deliveryId',
  validateSearch: (raw) => clean({ attempt: numberOf(raw, 'attempt') }),
  component: lazyRouteComponent(() => import('./pages/delivery/delivery-page.tsx'), 'DeliveryPage'),
});

const batches = createRoute({
  getParentRoute: () => inside,
  path: '/batches',
  validateSearch: parseBatchesSearch,
  component: lazyRouteComponent(() => import('./pages/batches/batches-page.tsx'), 'BatchesPage'),
});

const newBatch = createRoute({
  getParentRoute: () => inside,
  path: '/batches/new',
  validateSearch: parseSessionsSearch,
  component: lazyRouteComponent(() => import('./pages/new-batch/new-batch-page.tsx'), 'NewBatchPage'),
});

const batch = createRoute({
  getParentRoute: () => inside,
  path: '/batches/$batchId',
  validateSearch: (raw) => clean({ changed: textOf(raw, 'changed') }),
  component: lazyRouteComponent(() => import('./pages/batch/batch-page.tsx'), 'BatchPage'),
});

const assistants = createRoute({
  getParentRoute: () => inside,
  path: '/assistants',
  component: lazyRouteComponent(() => import('./pages/assistants/assistants-page.tsx'), 'AssistantsPage'),
});

const assistant = createRoute({
  getParentRoute: () => inside,
  path: '/assistants/$assistantId',
  component: lazyRouteComponent(() => import('./pages/assistant/assistant-page.tsx'), 'AssistantPage'),
});

const versions = createRoute({
  getParentRoute: () => inside,
  path: '/assistants/$assistantId/versions',
  validateSearch: (raw) => clean({ version: numberOf(raw, 'version'), with: numberOf(raw, 'with') }),
  component: lazyRouteComponent(() => import('./pages/versions/versions-page.tsx'), 'VersionsPage'),
});

const results = createRoute({
  getParentRoute: () => inside,
  path: '/assistants/$assistantId/results',
  validateSearch: parseResultsSearch,
  component: lazyRouteComponent(() => import('./pages/results/results-page.tsx'), 'ResultsPage'),
});

const usage = createRoute({
  getParentRoute: () => inside,
  path: '/usage',
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/settings/tokens', throw: true });
  },
});

const tokens = createRoute({
  getParentRoute: () => settings,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./pages/settings/tokens-page.tsx'), 'TokensPage'),
});

const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/settings/account-page.tsx'), 'AccountPage'),
});

const system = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  component: lazyRouteComponent(() => import('./pages/system/system-page.tsx'), 'SystemPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    register,
    inside.addChildren([
      ...[overview, start, sessions, session, compare, deliveries, delivery, assistants, assistant, versions],
      ...[batches, newBatch, batch, results, usage, system],
      settings.addChildren([settingsIndex, tokens, account]),
    ]),
  ]),
  basepath: '/console',
  parseSearch: parseQuery,
  stringifySearch: printQuery,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
