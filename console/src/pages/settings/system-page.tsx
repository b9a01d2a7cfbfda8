/** The state of the service and its providers. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, FlaskConical, TriangleAlert } from 'lucide-react';
import type { Provider, ServiceInfo } from 'conversation-analysis-client';
import { getInfoOptions, listProvidersOptions } from 'conversation-analysis-client/react-query';
import { Facts } from '../../components/facts.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { Time } from '../../components/values.tsx';
import { accessOf, PROVIDER_NAMES } from '../../format/providers.ts';
import { formatBytes } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.system;

const REFRESH_MS = 10_000;

export function SystemPage() {
  const info = useQuery({ ...getInfoOptions(), refetchInterval: REFRESH_MS });
  const readiness = useReadiness();
  const providers = useQuery(listProvidersOptions());
  return (
    <>
      <Panel
        title={words.service}
        actions={
          <a href="/api/docs" target="_blank" rel="noopener">
            {texts.shell.apiDocs}
          </a>
        }
      >
        <Loaded query={both(info, readiness)} lines={6}>
          {([data, ready]) => <Service info={data} readiness={ready} />}
        </Loaded>
      </Panel>
      <Panel title={words.providers}>
        <Loaded query={providers} lines={7}>
          {({ data }) => (
            <div className="stack">
              <Facts
                facts={data
                  .filter((each) => accessOf(each) !== 'noKey')
                  .map((each) => [
                    `${PROVIDER_NAMES[each.provider]} · ${texts.steps[each.step]}`,
                    <Access key={each.provider} provider={each} down={info.data?.open_circuits} />,
                  ])}
              />
              <p className="note">
                {words.noKey}:{' '}
                {[
                  ...new Set(
                    data.filter((each) => accessOf(each) === 'noKey').map(({ provider }) => PROVIDER_NAMES[provider]),
                  ),
                ].join(', ') || texts.labels.none}
              </p>
            </div>
          )}
        </Loaded>
      </Panel>
    </>
  );
}

interface AccessProps {
  provider: Provider;
  down: ServiceInfo['open_circuits'] | undefined;
}

/** Whether calls to the provider are made, and why not. */
function Access({ provider: { provider, step, ...access }, down }: AccessProps) {
  const circuit = down?.find((each) => each.provider === provider && each.step === step);
  const Icon = circuit ? TriangleAlert : access.simulated ? FlaskConical : CircleCheck;
  return (
    <>
      <Icon size={13} color={circuit && 'var(--warn)'} aria-hidden />{' '}
      {circuit ? (
        <>
          {words.down(texts.failures[circuit.reason])} <Time at={circuit.since} />
        </>
      ) : (
        words[accessOf(access)]
      )}
    </>
  );
}

function Service({ info, readiness }: { info: ServiceInfo; readiness: ReadinessReport }) {
  const { version, commit, workers, queue, storage, limits } = info;
  const free = Object.entries(readiness.free_bytes ?? {}) as [keyof typeof words.freeSpace, number | null][];
  const ofLimit = (used: number, limit: number | null) =>
    [used, limit]
      .filter((bytes) => bytes !== null)
      .map(formatBytes)
      .join(' / ');
  const temporal = info.temporal_run_url?.split('/namespaces/')[0];
  return (
    <Facts
      facts={[
        [words.state, <Readiness {...readiness} />],
        [words.workers, words.workersRunning(workers.running)],
        [words.queue, <Queue queue={queue} />],
        [words.recordings, ofLimit(storage.audio_bytes, limits.stored_audio_bytes)],
        [words.conversations, ofLimit(storage.text_bytes, limits.stored_text_bytes)],
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

const Queue = ({ queue: { waiting, oldest_queued_at } }: Pick<ServiceInfo, 'queue'>) => (
  <>
    <Link to="/sessions" search={{ status: 'queued' }}>
      {words.waiting(waiting)}
    </Link>
    {oldest_queued_at && (
      <>
        , {words.oldest} <Time at={oldest_queued_at} />
      </>
    )}
  </>
);

interface ReadinessReport {
  problems?: string[];
  warnings?: string[];
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

const PROBLEMS: Record<string, string | undefined> = words.problems;
const say = (problems: readonly string[]) => problems.map((problem) => PROBLEMS[problem] ?? problem).join(', ');

function Readiness({ problems = [], warnings = [] }: ReadinessReport) {
  const isReady = problems.length + warnings.length === 0;
  const Icon = isReady ? CircleCheck : TriangleAlert;
  return (
    <span style={{ color: isReady ? 'var(--good)' : 'var(--warn)', fontWeight: 500 }} role="status">
      <Icon size={14} aria-hidden />{' '}
      {isReady
        ? words.ready
        : problems.length > 0
          ? words.notReady(say([...problems, ...warnings]))
          : words.readyBut(say(warnings))}
    </span>
  );
}
