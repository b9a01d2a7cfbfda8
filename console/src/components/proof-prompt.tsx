/** The dialog that confirms the identity of the user. Loaded when a request first requires it. */
import { useSelector } from '@tanstack/react-store';
import { Suspense } from 'react';
import { lazyComponent } from '../server/load-file.ts';
import { proofRequest } from '../server/proof.ts';

const ProofDialog = lazyComponent(() => import('./proof-dialog.tsx'), 'ProofDialog');

export function ProofPrompt() {
  const settle = useSelector(proofRequest);
  return (
    settle && (
      <Suspense>
        <ProofDialog settle={settle} />
      </Suspense>
    )
  );
}
