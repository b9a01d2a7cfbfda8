import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { usePreferences } from '../../format/preferences.ts';

/** Opens the results of the assistant that was looked at last, otherwise of the first one that asks questions. */
export function LastResultsPage() {
  const { assistant } = usePreferences();
  return (
    <Page>
      <Loaded query={useQuery(listAssistantsOptions())}>
        {({ data }) => {
          const found = data.find(({ id }) => id === assistant) ?? data.find(({ fields }) => fields?.length) ?? data[0];
          return found ? (
            <Navigate to="/assistants/$assistantId/results" params={{ assistantId: found.id }} replace />
          ) : (
            <Navigate to="/assistants" replace />
          );
        }}
      </Loaded>
    </Page>
  );
}
