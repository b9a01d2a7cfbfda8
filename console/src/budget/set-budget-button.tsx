import { Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';
import { lazyPart } from '../server/load-file.ts';
import { useMay, useWorkspace } from '../server/membership.ts';

const SetBudget = lazyPart(() => import('./set-budget.tsx'), 'SetBudget');

/** Opens the dialog that sets the monthly budget. Shown only to roles with the scope. */
export function SetBudgetButton({ label }: { label: string }) {
  const workspace = useWorkspace();
  const may = useMay();
  const [isSetting, setSetting] = useState(false);
  if (!workspace || !may('workspace:write')) return null;
  return (
    <>
      <Button onClick={() => setSetting(true)}>{label}</Button>
      <Suspense>{isSetting && <SetBudget workspace={workspace} onClose={() => setSetting(false)} />}</Suspense>
    </>
  );
}
