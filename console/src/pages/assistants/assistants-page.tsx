import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AudioLines, Bot, MessageSquareText, Plus } from 'lucide-react';
import { getAssistantAccuracyOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import type { Assistant } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { May } from '../../components/may.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page } from '../../components/page.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { formatShare } from '../../format/shares.ts';
import { usePeriod } from '../../search/period.ts';
import { PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import styles from './assistants.module.css';
import { troubleOf, Unknown, useWeeks, WeekFacts, type Week } from './week-facts.tsx';

export function AssistantsPage() {
  const assistants = useQuery(listAssistantsOptions());
  const { isPending, error, weekOf } = useWeeks();
  const create = (
    <ButtonLink scope="assistants:write" to="/assistants/$assistantId" params={{ assistantId: 'new' }} look="primary">
      <Plus size={14} aria-hidden />
      {texts.assistants.create}
    </ButtonLink>
  );
  return (
    <Page>
      <PageHeader title={texts.shell.assistants} actions={create} />
      <Loaded query={{ ...assistants, data: isPending ? undefined : assistants.data }} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              icon={Bot}
              title={texts.assistants.none}
              detail={texts.assistants.noneDetail}
              actions={create}
            />
          ) : (
            <ul className={styles['cards']}>
              {data
                .map((assistant) => ({ assistant, week: weekOf?.(assistant.id) }))
                .sort((a, b) => troubleOf(b.week) - troubleOf(a.week))
                .map(({ assistant, week }, place) => (
                  <li key={assistant.id}>
                    <Card {...{ assistant, week, error }} hasAccuracy={place < MAX_ACCURACIES} />
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Number of cards with the accuracy, which takes a request each. */
const MAX_ACCURACIES = 24;

interface CardProps {
  assistant: Assistant;
  week: Week | undefined;
  error: unknown;
  hasAccuracy: boolean;
}

/** How often each question is answered right, from the reviews of 30 days. The row is there while that is loaded, so nothing moves. */
function Accuracy({ id }: { id: string }) {
  const query = usePeriod('30d');
  const { data, error } = useQuery(getAssistantAccuracyOptions({ path: { id }, query }));
  const judged = data?.fields.filter(({ share }) => share !== null) ?? [];
  return (
    <>
      <dt>{texts.accuracy.title}</dt>
      <dd>
        {!data && <Unknown error={error} />}
        {data && judged.length === 0 && <Nothing />}
        {judged
          .map(
            ({ name, title, share, judged: each }) =>
              `${title ?? name} ${texts.accuracy.rightOf(formatShare(share ?? 0), each)}`,
          )
          .join(', ')}
      </dd>
    </>
  );
}

function Card({ assistant, week, error, hasAccuracy }: CardProps) {
  const { id, name, type, description, fields, webhook_url, updated_at } = assistant;
  const { llm_provider, llm_model, stt_provider } = assistant;
  const Icon = type === 'voice' ? AudioLines : MessageSquareText;
  return (
    <article className={styles['card']}>
      <h2 dir="auto">
        <Link to="/assistants/$assistantId" params={{ assistantId: id }}>
          {name}
        </Link>
      </h2>
      {description && (
        <p className={styles['description']} dir="auto">
          {description}
        </p>
      )}
      <dl className={styles['facts']}>
        <dt>{texts.versions.properties.type}</dt>
        <dd>
          <Icon size={13} aria-hidden /> {texts.types[type]}
        </dd>
        <dt>{texts.assistants.models}</dt>
        <dd>
          {stt_provider && `${PROVIDER_NAMES[stt_provider]}, `}
          {PROVIDER_NAMES[llm_provider]} {llm_model}
        </dd>
        <dt>{texts.assistants.webhook}</dt>
        <dd className="cut" title={webhook_url ?? undefined}>
          {webhook_url ?? texts.labels.none}
        </dd>
        <WeekFacts {...{ id, week, error }} />
        {hasAccuracy && fields && <Accuracy id={id} />}
        <dt>{texts.assistants.changed}</dt>
        <dd>
          <Time at={updated_at} isRelative />
        </dd>
      </dl>
      <p className={styles['links']}>
        <Link to="/sessions" search={{ assistant_id: id }}>
          {texts.common.sessions}
        </Link>
        <Link to="/deliveries" search={{ assistant_id: id }}>
          {texts.common.deliveries}
        </Link>
        {fields && (
          <>
            <Link to="/assistants/$assistantId/results" params={{ assistantId: id }}>
              {texts.labels.results}
            </Link>
            <Link to="/experiments" search={{ assistant_id: id }}>
              {texts.common.experiments}
            </Link>
          </>
        )}
        <May scope="requests:write">
          <Link to="/start" search={{ assistant: id }}>
            {texts.shell.start}
          </Link>
        </May>
      </p>
    </article>
  );
}
