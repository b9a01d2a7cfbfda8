/** A session beside its original, or beside the session in the address. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getSessionOptions } from 'conversation-analysis-client/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { firstValue } from '../../format/metadata.ts';
import { texts } from '../../texts/index.ts';
import { SessionComparison } from '../../conversation/session-comparison.tsx';

const route = getRouteApi('/inside/sessions/$sessionId/compare');
const words = texts.compare;

export function ComparePage() {
  const { sessionId } = route.useParams();
  const one = useQuery(getSessionOptions({ path: { id: sessionId } }));
  const sourceId = one.data?.source_session_id ?? undefined;
  const { with: otherId = sourceId } = route.useSearch();
  const other = useQuery({ ...getSessionOptions({ path: { id: otherId ?? '' } }), enabled: otherId !== undefined });
  return (
    <Page>
      <PageHeader
        title={otherId === sourceId ? words.withOriginal : words.compare}
        crumb={
          <ParentLink to="/sessions/$sessionId" params={{ sessionId }}>
            {one.data ? (firstValue(one.data.metadata) ?? one.data.assistant.name) : texts.kinds.sess}
          </ParentLink>
        }
      />
      {otherId === undefined ? (
        <Loaded query={one}>{() => <EmptyState title={words.noOriginal} />}</Loaded>
      ) : (
        <Loaded query={both(one, other)} lines={8}>
          {([given, found]) => <SessionComparison sessions={otherId === sourceId ? [found, given] : [given, found]} />}
        </Loaded>
      )}
    </Page>
  );
}
