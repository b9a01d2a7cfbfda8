import { useQuery } from '@tanstack/react-query';
import type { ServiceInfo } from 'conversation-analysis-client';
import { getInfoOptions } from 'conversation-analysis-client/react-query';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatBytes, formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';
import { operationFacts } from './operation.tsx';

const words = texts.system;

const REFRESH_MS = 10_000;

/** The version and limits of this installation. */
export function Installation() {
  const info = useQuery({ ...getInfoOptions(), refetchInterval: REFRESH_MS });
  return (
    <Loaded query={info} lines={13}>
      {(data) => <InfoFacts info={data} />}
    </Loaded>
  );
}

function InfoFacts({ info }: { info: ServiceInfo }) {
  const { limits, version, commit } = info;
  const sizeOf = (bytes: number | null) => (bytes === null ? null : formatBytes(bytes));
  const temporal = info.temporal_run_url?.split('/namespaces/')[0];
  return (
    <Facts
      facts={[
        [texts.versions.version, commit === null ? version : `${version} (${commit.slice(0, 12)})`],
        [words.registration, words.registrations[info.registration]],
        [words.recordings, words.recordingLimits(formatBytes(limits.audio_bytes), info.audio_retention_days)],
        [words.openSessions, words.openLimit(formatNumber(limits.open_sessions))],
        ...operationFacts(info),
        [words.retention, words.retentionDays(info.session_retention_days)],
        [words.quotas, words.quotasOf(limits, sizeOf(limits.stored_audio_bytes), sizeOf(limits.stored_text_bytes))],
        [words.wait, words.seconds(limits.wait_s)],
        [words.requests, words.perMinute(limits.requests_per_minute)],
        temporal !== undefined && [words.temporal, <TemporalLink href={temporal} />],
      ]}
    />
  );
}

const TemporalLink = ({ href }: { href: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {href}
  </a>
);
