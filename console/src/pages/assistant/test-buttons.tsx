/** The buttons of the form of an assistant that test its values, saved or not. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState, type MouseEvent } from 'react';
import type { Assistant } from 'conversation-analysis-client';
import { countSessionsOptions } from 'conversation-analysis-client/react-query';
import { ANALYSIS_SETTINGS } from '../../../../contract/assistants/settings.ts';
import { Button } from '../../components/button.tsx';
import { readForm } from '../../components/form-values.ts';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import { toPatch } from './assistant-input.ts';

const TrialDialog = lazyPart(() => import('./trial-dialog.tsx'), 'TrialDialog');

/** Tests the values on a past session. */
export function Trial({ assistant }: { assistant: Assistant | undefined }) {
  const [values, setValues] = useState<Record<string, string>>();
  const open = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (form?.checkValidity()) setValues(readForm(form));
    // Shows the errors, and submits nothing.
    else form?.requestSubmit();
  };
  return (
    <>
      <Button onClick={open}>{texts.trial.title}</Button>
      {values && (
        <Suspense>
          <TrialDialog values={values} assistantId={assistant?.id} onClose={() => setValues(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/**
 * Opens the page of a new batch over the random sample of reviewed sessions, with the unsaved settings of the surrounding
 * form.
 */
export function TestReviewed({ assistant }: { assistant: Assistant }) {
  const navigate = useNavigate();
  const sample = { assistant_id: assistant.id, review: 'sampled' } as const;
  const { data } = useQuery(countSessionsOptions({ query: sample }));
  if (data?.total === 0) return null;
  const open = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    // Shows the errors, also those of closed rows, and submits nothing.
    if (!form?.checkValidity()) return form?.requestSubmit();
    const changes = Object.entries(toPatch(readForm(form), assistant));
    const tested = changes.filter(([name]) => ANALYSIS_SETTINGS.some((each) => each === name));
    void navigate({
      to: '/batches/new',
      search: { ...sample, action: 'reanalyze' },
      state: tested.length > 0 ? { overrides: Object.fromEntries(tested) } : {},
      // The page of the new batch has these changes, and guards them.
      ignoreBlocker: tested.length === changes.length,
    });
  };
  return (
    // Has its place before the number is known.
    <Button scope="sessions:write" onClick={open} style={{ visibility: data ? 'visible' : 'hidden' }}>
      {texts.assistant.testReviewed(data?.total ?? 0)}
    </Button>
  );
}
