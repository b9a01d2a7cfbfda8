import { lazyRouteComponent } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { MouseEvent } from 'react';
import type { Assistant } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { texts } from '../../texts/index.ts';

const TrialDialog = lazyRouteComponent(() => import('./trial-dialog.tsx'), 'TrialDialog');

/** Tries what stands in the form around it, saved or not, on a past session. */
export function Trial({ assistant }: { assistant: Assistant | undefined }) {
  const [values, setValues] = useState<Record<string, string>>();
  const open = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form?.reportValidity()) setValues(Object.fromEntries(new FormData(form)) as Record<string, string>);
  };
  return (
    <>
      <Button onClick={open}>
        <FlaskConical size={14} aria-hidden />
        {texts.trial.button}
      </Button>
      {values && (
        <Suspense>
          <TrialDialog values={values} assistantId={assistant?.id} onClose={() => setValues(undefined)} />
        </Suspense>
      )}
    </>
  );
}
