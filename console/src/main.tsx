import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import { loginOptions } from './server/login.ts';
import { queryClient, whenLoginEnds } from './server/queries.ts';
import { returnPath } from './server/workspace.ts';
import { ProofPrompt } from './components/proof-prompt.tsx';
import { Toasts } from './components/toasts.tsx';
import { router } from './router.tsx';

whenLoginEnds(() => {
  // The router redirects visitors without a login.
  if (queryClient.getQueryData(loginOptions.queryKey) === undefined) return;
  const next = returnPath(router.state.location);
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next, ended: 'yes' } });
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ProofPrompt />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
