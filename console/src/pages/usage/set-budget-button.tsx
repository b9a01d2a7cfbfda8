import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { lazyComponent } from '../../server/load-file.ts';
import { loginOptions } from '../../server/login.ts';

const SetBudget = lazyComponent(() => import('./set-budget.tsx'), 'SetBudget');

/** Opens the dialog that sets the monthly budget. */
export function SetBudgetButton({ label }: { label: string }) {
  const { data: user } = useQuery(loginOptions);
  const [isSetting, setSetting] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setSetting(true)}>
        {label}
      </Button>
      <Suspense>{isSetting && user && <SetBudget user={user} onClose={() => setSetting(false)} />}</Suspense>
    </>
  );
}
