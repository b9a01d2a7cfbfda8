import { Link } from '@tanstack/react-router';
import type { ServiceInfo } from 'conversation-analysis-client';
import type { Fact } from './facts.tsx';
import { Time } from './values.tsx';
import { PROVIDER_NAMES } from '../format/providers.ts';
import { texts } from '../texts/index.ts';

const words = texts.system;

/** Returns the facts about workers, the queue, and providers that are down. */
export const operationFacts = ({ workers, queue, open_circuits }: ServiceInfo): Fact[] => [
  [words.workers, words.workersRunning(workers.running)],
  [words.queue, <Queue queue={queue} />],
  [words.circuits, <Circuits circuits={open_circuits} />],
];

const Circuits = ({ circuits }: { circuits: ServiceInfo['open_circuits'] }) =>
  circuits.length === 0
    ? texts.labels.none
    : circuits.map(({ provider, step, reason, since }) => (
        <div key={`${provider} ${step}`}>
          {words.circuit(`${PROVIDER_NAMES[provider]} · ${texts.steps[step]}`, texts.failures[reason])}{' '}
          <Time at={since} isRelative />
        </div>
      ));

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
