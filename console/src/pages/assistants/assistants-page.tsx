/** All assistants, those with failures first. */
import { useQuery } from '@tanstack/react-query';
import { Bot, Plus } from 'lucide-react';
import { getStatsOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page } from '../../components/page.tsx';
import { HOUR_MS, useSteppedNow } from '../../format/clock.ts';
import { AssistantTable } from '../../lists/assistant-table.tsx';
import { statsOf } from '../../search/period.ts';
import { texts } from '../../texts/index.ts';

const words = texts.assistants;

export function AssistantsPage() {
  const assistants = useQuery(listAssistantsOptions());
  const stats = useQuery(getStatsOptions({ query: statsOf('7d', useSteppedNow(HOUR_MS)) }));
  const create = (
    <ButtonLink scope="assistants:write" to="/assistants/$assistantId" params={{ assistantId: 'new' }} look="primary">
      <Plus size={14} aria-hidden />
      {texts.start.assistant.another}
    </ButtonLink>
  );
  return (
    <Page>
      <PageHeader title={texts.shell.assistants} actions={assistants.data?.data.length !== 0 && create} />
      <Loaded query={both(assistants, stats)} lines={6}>
        {([{ data }, report]) =>
          data.length === 0 ? (
            <EmptyState icon={Bot} title={words.none} detail={words.noneDetail} actions={create} />
          ) : (
            <AssistantTable report={report} range="7d" />
          )
        }
      </Loaded>
    </Page>
  );
}
