/** What a shared link shows, without a login: parts of a session, or of an experiment. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { openShare, type Shared } from 'conversation-analysis-client';
import type { FieldValue } from '../../../../contract/fields/result-fields.ts';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { titlesOf } from '../../fields/field-title.tsx';
import { VERSIONED_SETTINGS } from '../../../../contract/assistants/settings.ts';
import { settingRows } from '../../analysis-settings/setting-rows.tsx';
import { VerdictList } from '../../lists/verdicts.tsx';
import { PERSONAL_API } from '../../server/workspace.ts';
import { isNotFound } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';

const route = getRouteApi('/shared');
const words = texts.share;

export function SharedPage() {
  const { token } = route.useLoaderData();
  const shared = useQuery({
    queryKey: ['shared', token],
    queryFn: async ({ signal }) =>
      (await openShare({ baseUrl: PERSONAL_API, body: { token: token ?? '' }, signal, throwOnError: true })).data,
    enabled: token !== null,
    retry: false,
  });
  const isGone = token === null || isNotFound(shared.error);
  return (
    <main>
      <Page isNarrow>
        {isGone ? (
          <>
            <PageHeader title={words.gone} />
            <p>{words.goneDetail}</p>
          </>
        ) : (
          <Loaded query={shared} lines={6}>
            {(data) => <Parts shared={data} />}
          </Loaded>
        )}
      </Page>
    </main>
  );
}

function Parts({ shared }: { shared: Shared }) {
  const { title, shared_by, created_at, expires_at, summary_text, fields, conversation } = shared;
  const { verdict, questions, settings } = shared;
  const given = VERSIONED_SETTINGS.filter((name) => settings?.[name as keyof typeof settings] !== undefined);
  return (
    <>
      <PageHeader
        title={title}
        below={
          <>
            {words.by(shared_by)} · <Time at={created_at} /> · {words.until} <Time at={expires_at} />
          </>
        }
      />
      {summary_text !== undefined && (
        <Panel title={words.parts.summary}>
          <p dir="auto">{summary_text ?? <Nothing />}</p>
        </Panel>
      )}
      {fields && (
        <Panel title={words.parts.fields}>
          <Facts
            facts={fields.map(({ title: name, value }) => [
              name,
              value == null ? <Nothing /> : formatValue(value as FieldValue),
            ])}
          />
        </Panel>
      )}
      {conversation && (
        <Panel title={words.parts.conversation}>
          <ol className="stack">
            {conversation.map(({ role, text }, index) => (
              <li key={index} dir="auto">
                <strong>{role}</strong> {text}
              </li>
            ))}
          </ol>
        </Panel>
      )}
      {verdict && (
        <Panel title={texts.experiment.title}>
          <VerdictList fields={verdict.fields} titleOf={titlesOf(questions)} />
          <p className="note">{texts.experiment.compared(verdict.sessions)}</p>
        </Panel>
      )}
      {settings && (
        <Panel title={words.parts.settings}>
          <Facts
            facts={settingRows(settings, settings, given).map(({ title: name, cells: [value] }) => [name, value])}
          />
        </Panel>
      )}
    </>
  );
}
