/** The dialogs that a request can require, above the page. Loaded when they are first needed. */
import { useSelector } from '@tanstack/react-store';
import { Suspense } from 'react';
import { lazyPart } from '../../server/load-file.ts';
import { prompts } from '../../server/prompts.ts';

const LoginDialog = lazyPart(() => import('./login-dialog.tsx'), 'LoginDialog');
const ProofDialog = lazyPart(() => import('../../components/proof-dialog.tsx'), 'ProofDialog');

export function Prompts() {
  const { login, proof } = useSelector(prompts);
  return (
    <Suspense>
      {proof && <ProofDialog settle={proof} />}
      {login && <LoginDialog settle={login} />}
    </Suspense>
  );
}
