/** The state of the service and its providers. */
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, ExternalLink, FlaskConical, TriangleAlert } from 'lucide-react';
import type { ServiceInfo } from 'conversation-analysis-client';
import { getInfoOptions, listProvidersOptions } from 'conversation-analysis-client/react-query';
import { ButtonAnchor } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { accessOf, PROVIDER_NAMES } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';
import { operationFacts } from '../../components/operation.tsx';

const words = texts.system;

const REFRESH_MS = 10_000;

export function SystemPage() {
  const info = useQuery({ ...getInfoOptions(), refetchInterval: REFRESH_MS });
  const providers = useQuery(listProvidersOptions());
  return (
    <Page>
      <PageHeader
        title={texts.shell.system}
        actions={
          <ButtonAnchor href="/api/docs" target="_blank" rel="noopener">
            <ExternalLink size={14} aria-hidden />
            {texts.shell.apiDocs}
          </ButtonAnchor>
        }
      />
      <Panel title={words.service}>
        <Loaded query={info} lines={6}>
          {(data) => <Service info={data} />}
        </Loaded>
      </Panel>
      <Panel title={words.providers}>
        <Loaded query={providers} lines={7}>
          {({ data }) => (
            <Facts
              facts={data.map((each) => {
                const access = accessOf(each);
                const Icon = ACCESS_ICONS[access];
                return [
                  `${PROVIDER_NAMES[each.provider]} · ${texts.steps[each.step]}`,
                  <>
                    <Icon size={13} aria-hidden /> {words[access]}
                  </>,
                ];
              })}
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const ACCESS_ICONS = { simulated: FlaskConical, configured: CircleCheck, noKey: CircleDashed };

function Service({ info }: { info: ServiceInfo }) {
  const { version, commit } = info;
  const readiness = useReadiness();
  const free = Object.entries(readiness.data?.free_bytes ?? {}) as [keyof typeof words.freeSpace, number | null][];
  const temporal = info.temporal_run_url?.split('/namespaces/')[0];
  return (
    <Facts
      facts={[
        [words.state, <Readiness readiness={readiness} />],
        ...operationFacts(info),
        ...free.map(([disk, bytes]) => bytes !== null && ([words.freeSpace[disk], formatBytes(bytes)] as const)),
        [texts.versions.version, commit === null ? version : `${version} (${commit.slice(0, 12)})`],
        temporal !== undefined && [
          words.temporal,
          <a href={temporal} target="_blank" rel="noopener noreferrer">
            {temporal}
          </a>,
        ],
      ]}
    />
  );
}

interface ReadinessReport {
  problems?: string[];
  free_bytes?: Record<keyof typeof words.freeSpace, number | null>;
}

/** Reads `GET /readyz`, which is not part of the API contract. */
const useReadiness = () =>
  useQuery({
    queryKey: ['readiness'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/readyz', { signal, cache: 'no-store' });
      return (await response.json()) as ReadinessReport;
    },
    refetchInterval: REFRESH_MS,
  });

function Readiness({ readiness }: { readiness: ReturnType<typeof useReadiness> }) {
  return (
    <Loaded query={readiness} lines={1}>
      {({ problems = [] }) => {
        const isReady = problems.length === 0;
        const Icon = isReady ? CircleCheck : TriangleAlert;
        return (
          <span
            className="row"
            style={{ color: isReady ? 'var(--good)' : 'var(--warn)', fontWeight: 500 }}
            role="status"
          >
            <Icon size={14} aria-hidden />
            {isReady ? words.ready : words.notReady(problems.join(', '))}
          </span>
        );
      }}
    </Loaded>
  );
}
