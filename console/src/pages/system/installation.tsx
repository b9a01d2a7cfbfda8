import { useQuery } from '@tanstack/react-query';
import { getInfoOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { Facts } from '../../components/facts.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { formatBytes, formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.system;

/** The version and the bounds that this installation keeps. */
export function Installation() {
  const { data, error, refetch } = useQuery(getInfoOptions());
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
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
