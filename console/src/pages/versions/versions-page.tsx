/** The versions of an assistant: list, comparison and restore. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { listAssistantVersionsInfiniteOptions } from 'conversation-analysis-client/react-query';
import type { Assistant } from 'conversation-analysis-client';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { AssistantFrame } from '../../lists/assistant-frame.tsx';
import { assistantState } from '../../server/assistant.ts';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/not-found.tsx';
import { texts } from '../../texts/index.ts';
import { MoreButton } from '../../lists/list-parts.tsx';
import { columnsOf } from './version-columns.tsx';
import { VersionComparison } from './version-comparison.tsx';

const route = getRouteApi('/inside/assistants/$assistantId/versions');
const words = texts.versions;

export function VersionsPage() {
  const { assistantId: id } = route.useParams();
  // Read here: a query renders only components that have read it, and the frame renders its content later.
  const { data, error, refetch } = useQuery(assistantState(id));
  if (isNotFound(error)) return <NotFound list="assistants" />;
  return (
    <AssistantFrame id={id} tab="versions">
      <Loaded query={{ data, error, refetch }}>{({ assistant }) => <Versions assistant={assistant} />}</Loaded>
    </AssistantFrame>
  );
}

function Versions({ assistant }: { assistant: Assistant }) {
  const { version, with: other } = route.useSearch();
  const compared = version !== undefined &&
    assistant.version > 1 && {
      chosen: version,
      other: other ?? defaultOther(assistant, version),
    };
  const path = { id: assistant.id };
  const versions = useInfiniteQuery({
    ...listAssistantVersionsInfiniteOptions({ path }),
    initialPageParam: { path },
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? undefined : Number(next_cursor)),
  });
  return (
    <>
      {compared && <VersionComparison assistant={assistant} {...compared} />}
      <Loaded query={versions} lines={6}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return (
            <DataTable
              isCards
              caption={words.title}
              columns={columnsOf(assistant, rows)}
              rows={rows}
              rowKey={(row) => String(row.version)}
              currentKey={Object.values(compared || {}).map(String)}
            />
          );
        }}
      </Loaded>
      <MoreButton pages={versions} />
    </>
  );
}

/** Returns the current version, or for the current version the previous one. */
const defaultOther = (assistant: Assistant, version: number) =>
  version === assistant.version ? version - 1 : assistant.version;
