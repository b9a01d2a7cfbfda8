import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { updateAssistant, type Session } from 'conversation-analysis-client';
import { getAssistantOptions, getSessionOptions } from 'conversation-analysis-client/react-query';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PageHeader, ParentLink } from '../../components/page-header.tsx';
import { showToast } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { OtherSession } from '../../conversation/other-session.tsx';
import { SessionComparison } from '../../conversation/session-comparison.tsx';

const route = getRouteApi('/inside/sessions/$sessionId/compare');
const words = texts.compare;

export function ComparePage() {
  const { sessionId } = route.useParams();
  const { with: otherId } = route.useSearch();
  const navigate = useNavigate();
  const one = useQuery(getSessionOptions({ path: { id: sessionId } }));
  const other = useQuery({ ...getSessionOptions({ path: { id: otherId ?? '' } }), enabled: otherId !== undefined });
  const choose = (id: string) =>
    void navigate({ to: '/sessions/$sessionId/compare', params: { sessionId }, search: { with: id } });
  return (
    <Page>
      <PageHeader
        title={words.title}
        above={
          <ParentLink to="/sessions/$sessionId" params={{ sessionId }}>
            {one.data?.assistant.name ?? texts.kinds.sess}
          </ParentLink>
        }
      />
      <OtherSession
        key={otherId}
        sessionId={sessionId}
        sourceId={one.data?.source_session_id}
        otherId={otherId}
        onChoose={choose}
      />
      {otherId === undefined ? (
        <Loaded query={one}>{() => <EmptyState title={words.choose} detail={words.chooseWhy} />}</Loaded>
      ) : (
        <Loaded query={both(one, other)} lines={8}>
          {([first, second]) => (
            <>
              <SessionComparison sessions={[first, second]} />
              <div className="row">
                <UsePrompt session={second} />
              </div>
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

/** Sets the assistant's prompt to that of the session. Hidden if the assistant was deleted or already has this prompt. */
function UsePrompt({ session: { assistant } }: { session: Session }) {
  const { id, system_prompt } = assistant;
  const { data: current } = useQuery(getAssistantOptions({ path: { id } }));
  if (!current || current.system_prompt === system_prompt) return null;
  return (
    <ConfirmButton
      scope="assistants:write"
      title={words.useTitle}
      detail={words.useDetail(current.name)}
      action={words.use}
      run={async () => {
        await updateAssistant({ path: { id }, body: { system_prompt }, throwOnError: true });
        showToast(words.used);
        void refresh('getAssistant', 'listAssistants');
      }}
    />
  );
}
