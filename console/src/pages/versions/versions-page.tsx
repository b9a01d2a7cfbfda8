/** The versions of an assistant: what each one changed, two of them beside each other, and the way back to one. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  getAssistantOptions,
  listAssistantVersionsInfiniteOptions,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Assistant, AssistantVersion } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { isNotFound } from '../../server/problem.ts';
import { NotFound } from '../../shell/fallbacks.tsx';
import { texts } from '../../texts/index.ts';
import { columnsOf } from './version-columns.tsx';
import { VersionComparison } from './version-comparison.tsx';

const route = getRouteApi('/inside/assistants/$assistantId/versions');
const words = texts.versions;

export function VersionsPage() {
  const { assistantId: id } = route.useParams();
  const { data: assistant, error, refetch } = useQuery(getAssistantOptions({ path: { id } }));
  if (isNotFound(error)) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title={words.title}
        above={
          <Link to="/assistants/$assistantId" params={{ assistantId: id }}>
            {assistant?.name ?? texts.assistant.title}
          </Link>
        }
      />
      {error && !assistant && <Problem error={error} onRetry={() => void refetch()} />}
      {assistant && <Versions assistant={assistant} />}
    </Page>
  );
}

function Versions({ assistant }: { assistant: Assistant }) {
  const { version, with: other } = route.useSearch();
  const path = { id: assistant.id };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...listAssistantVersionsInfiniteOptions({ path }),
    initialPageParam: { path },
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? undefined : Number(next_cursor)),
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const versions: AssistantVersion[] = data.pages.flatMap((page) => page.data);
  return (
    <>
      {version !== undefined && (
        <VersionComparison assistant={assistant} chosen={version} other={other ?? defaultOther(assistant, version)} />
      )}
      <Panel isFlush>
        <DataTable
          caption={words.title}
          columns={columnsOf(assistant, versions)}
          rows={versions}
          rowKey={(row) => String(row.version)}
          currentKey={version === undefined ? undefined : String(version)}
        />
      </Panel>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </>
  );
}

/** The present version, or for itself the one before. */
const defaultOther = (assistant: Assistant, version: number) =>
  version === assistant.version ? Math.max(version - 1, 1) : assistant.version;
