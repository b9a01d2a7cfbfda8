import { FlaskConical } from 'lucide-react';
import { Suspense, useState, type MouseEvent } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { readForm } from '../../components/form-values.ts';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';

const TrialDialog = lazyPart(() => import('./trial-dialog.tsx'), 'TrialDialog', ['batches', 'errors']);

const { title } = texts.trial;

/** Tests the values of the surrounding form, saved or not, on a past session. */
export function Trial({ assistant }: { assistant: Assistant | undefined }) {
  const [values, setValues] = useState<Record<string, string>>();
  const open = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form?.checkValidity()) setValues(readForm(form));
    // Shows the errors, and submits nothing.
    else form?.requestSubmit();
  };
  return (
    <>
      <Button onClick={open}>
        <FlaskConical size={14} aria-hidden />
        {title}
      </Button>
      {values && (
        <Suspense>
          <TrialDialog values={values} assistantId={assistant?.id} onClose={() => setValues(undefined)} />
        </Suspense>
      )}
    </>
  );
}
