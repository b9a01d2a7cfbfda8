/** The head and the tabs of an assistant: one place for its settings, results, experiments and versions. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, ClipboardCheck } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { deleteAssistant, type Assistant } from 'conversation-analysis-client';
import { duplicateAssistantMutation, testWebhookMutation } from 'conversation-analysis-client/react-query';
import { Button, ButtonLink } from '../components/button.tsx';
import { toOptions } from '../components/choice.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { PageHeader, ParentLink } from '../components/page-header.tsx';
import { Page, Skeleton } from '../components/page.tsx';
import { Tab, Tabs } from '../components/tabs.tsx';
import { showFailure } from '../components/toasts.tsx';
import { savePreferences } from '../format/preferences.ts';
import { assistantState } from '../server/assistant.ts';
import { isNotFound } from '../server/problem.ts';
import { refresh } from '../server/queries.ts';
import { texts } from '../texts/index.ts';
import { useAssistantOptions } from './assistant-options.ts';
import styles from './list.module.css';

interface Place {
  to: string;
  params?: { assistantId: string };
  search?: { assistant_id: string };
}

/** Returns the tabs, by name. */
const tabsOf = (assistantId: string) =>
  ({
    settings: { to: '/assistants/$assistantId', params: { assistantId } },
    results: { to: '/assistants/$assistantId/results', params: { assistantId } },
    experiments: { to: '/experiments', search: { assistant_id: assistantId } },
    versions: { to: '/assistants/$assistantId/versions', params: { assistantId } },
  }) satisfies Record<string, Place>;

type AssistantTab = keyof ReturnType<typeof tabsOf>;

const TITLES: Record<AssistantTab, string> = {
  settings: texts.shell.settings,
  results: texts.shell.results,
  experiments: texts.common.experiments,
  versions: texts.versions.title,
};

interface FrameProps {
  id: string;
  tab: AssistantTab;
  children: ReactNode;
}

export function AssistantFrame({ id, tab, children }: FrameProps) {
  const { data, error } = useQuery(assistantState(id));
  const assistant = data?.assistant;
  useEffect(() => savePreferences({ assistant: id }), [id]);
  const name = assistant?.name ?? texts.kinds.asst;
  return (
    <Page>
      <PageHeader
        title={name}
        tabTitle={tab === 'settings' ? name : `${TITLES[tab]} · ${name}`}
        crumb={
          tab === 'results' ? (
            TITLES.results
          ) : tab === 'experiments' ? (
            <ParentLink to="/experiments">{TITLES.experiments}</ParentLink>
          ) : (
            <ParentLink to="/assistants">{texts.shell.assistants}</ParentLink>
          )
        }
        beside={<Switch id={id} tab={tab} />}
        actions={
          assistant?.fields && (
            <ButtonLink to="/review" search={{ assistant_id: id }} scope="reviews:write" look="primary">
              <ClipboardCheck size={14} aria-hidden />
              {texts.shell.review}
            </ButtonLink>
          )
        }
        more={assistant && !isNotFound(error) && <Actions assistant={assistant} />}
      />
      {/* Nothing moves when the name is known. */}
      {(data ?? error) ? (
        <>
          <Tabs label={texts.kinds.asst}>
            {Object.entries(tabsOf(id)).map(([each, place]) => (
              <Tab key={each} {...place} isCurrent={each === tab}>
                {TITLES[each as AssistantTab]}{' '}
                {each === 'versions' && <span className="note">{assistant?.version}</span>}
              </Tab>
            ))}
          </Tabs>
          {children}
        </>
      ) : (
        <Skeleton lines={6} />
      )}
    </Page>
  );
}

/** Opens the same tab of another assistant. */
function Switch({ id, tab }: Pick<FrameProps, 'id' | 'tab'>) {
  const navigate = useNavigate();
  const options = useAssistantOptions();
  if (options.length < 2) return null;
  return (
    <span className={styles['switch']}>
      <ChevronDown size={16} aria-hidden />
      <select
        aria-label={texts.kinds.asst}
        value={id}
        onChange={({ target }) => void navigate(tabsOf(target.value)[tab])}
      >
        {toOptions(options)}
      </select>
    </span>
  );
}

function Actions({ assistant: { id, name, webhook_url } }: { assistant: Assistant }) {
  const navigate = useNavigate();
  const path = { id };
  const test = useMutation({
    ...testWebhookMutation(),
    onError: showFailure,
    onSuccess: ({ delivery_id }) =>
      void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: delivery_id } }),
  });
  const duplicate = useMutation({
    ...duplicateAssistantMutation(),
    onError: showFailure,
    onSuccess: (copy) => {
      void refresh('listAssistants');
      return navigate({ to: '/assistants/$assistantId', params: { assistantId: copy.id } });
    },
  });
  const remove = async () => {
    await deleteAssistant({ path, throwOnError: true });
    void refresh('listAssistants');
    await navigate({ to: '/assistants' });
  };
  return (
    <>
      <ButtonLink to="/start" search={{ assistant: id }} scope="requests:write">
        {texts.shell.start}
      </ButtonLink>
      <ButtonLink to="/sessions" search={{ assistant_id: id }}>
        {texts.common.sessions}
      </ButtonLink>
      {webhook_url !== null && (
        <Button scope="webhooks:write" disabled={test.isPending} onClick={() => test.mutate({ path })}>
          {texts.assistant.test}
        </Button>
      )}
      <Button scope="assistants:write" disabled={duplicate.isPending} onClick={() => duplicate.mutate({ path })}>
        {texts.assistant.duplicate}
      </Button>
      <CopyButton text={id} label={texts.labels.copyOf('ID')} word={texts.labels.copyOf('ID')} />
      <ConfirmButton
        scope="assistants:write"
        isDanger
        title={texts.labels.deleteTitle(name)}
        detail={texts.assistant.deleteDetail}
        action={texts.session.actions.delete}
        run={remove}
      />
    </>
  );
}
