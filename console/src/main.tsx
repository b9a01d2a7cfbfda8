import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import { savePreferences } from './format/preferences.ts';
import { isLoggedIn, loginOptions } from './server/login.ts';
import { keepWorkWhen, prompts } from './server/prompts.ts';
import { queryClient, whenLoginEnds } from './server/queries.ts';
import { returnPath } from './server/workspace.ts';
import { isUnsaved } from './components/form-values.ts';
import { Toasts } from './components/toasts.tsx';
import { requestData } from './pages/request-data.ts';
import { router } from './router.tsx';
import { needsOtherLanguage } from './texts/index.ts';

const hasLogin = () => queryClient.getQueryData(loginOptions.queryKey) !== undefined;

keepWorkWhen(
  ({ method }) =>
    hasLogin() && (method !== 'GET' || queryClient.isMutating() > 0 || [...document.forms].some(isUnsaved)),
);

whenLoginEnds(() => {
  if (!prompts.state.login) savePreferences({ isLoggedIn: false });
  // The router redirects visitors without a login, and the dialog waits for a new one.
  if (!hasLogin() || prompts.state.login) return;
  const next = returnPath(router.state.location);
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next, ended: 'yes' } });
});

router.subscribe('onBeforeLoad', ({ toLocation, pathChanged }) => {
  const match = pathChanged ? router.matchRoutes(toLocation.pathname, toLocation.search).at(-1) : undefined;
  // Without a login, each request would be refused.
  if (match && isLoggedIn()) requestData(match);
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

if (needsOtherLanguage()) location.reload();
else
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
