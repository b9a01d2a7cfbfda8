import { useQuery } from '@tanstack/react-query';
import type { ServiceInfo } from '../../../../clients/typescript/src/index.ts';
import { getInfoOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../components/facts.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Time } from '../../components/values.tsx';
import { formatBytes, formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.system;

const REFRESH_MS = 10_000;

/** The version and the bounds that this installation keeps. */
export function Installation() {
  const { data, error, refetch } = useQuery({ ...getInfoOptions(), refetchInterval: REFRESH_MS });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const { limits } = data;
  const temporal = data.temporal_run_url?.split('/namespaces/')[0];
  return (
    <Facts
      facts={[
        [words.version, data.commit === null ? data.version : `${data.version} (${data.commit.slice(0, 12)})`],
        [words.registration, words.registrations[data.registration]],
        [words.recordings, words.recordingLimits(formatBytes(limits.audio_bytes), data.audio_retention_days)],
        [
          words.atOnce,
          words.sessionLimits(formatNumber(limits.sessions_in_flight), formatNumber(limits.sessions_queued)),
        ],
        [words.queue, <Queue key="queue" queue={data.queue} />],
        [
          words.retention,
          data.session_retention_days === null ? words.forGood : words.days(data.session_retention_days),
        ],
        [
          words.quotas,
          words.quotasOf({
            assistants: formatNumber(limits.assistants),
            apiKeys: formatNumber(limits.api_keys),
            audio: limits.stored_audio_bytes === null ? null : formatBytes(limits.stored_audio_bytes),
          }),
        ],
        [words.wait, words.seconds(limits.wait_s)],
        [
          words.requests,
          limits.requests_per_minute === null
            ? words.unbounded
            : words.perMinute(formatNumber(limits.requests_per_minute)),
        ],
        ...(temporal === undefined
          ? []
          : [
              [
                words.temporal,
                <a key="temporal" href={temporal} target="_blank" rel="noopener noreferrer">
                  {temporal}
                </a>,
              ] as const,
            ]),
      ]}
    />
  );
}

const Queue = ({ queue: { waiting, oldest_queued_at } }: { queue: ServiceInfo['queue'] }) => (
  <>
    <Link to="/sessions" search={{ status: 'queued' }}>
      {words.waiting(waiting)}
    </Link>
    {oldest_queued_at && (
      <>
        , {words.oldest} <Time at={oldest_queued_at} isRelative />
      </>
    )}
  </>
);
