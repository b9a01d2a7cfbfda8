import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { listProvidersOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { texts } from '../../texts/index.ts';
import styles from './step.module.css';

/** Says which vendors are stand-ins of a local start; nothing where all are real. */
export function SimulatedNote() {
  const { data } = useQuery(listProvidersOptions());
  const simulated = data?.data.filter((provider) => provider.simulated) ?? [];
  if (simulated.length === 0) return null;
  const names = simulated.map(({ provider }) => texts.providers[provider]);
  return (
    <p className={styles['note']} role="note">
      <FlaskConical size={14} aria-hidden />
      {texts.start.simulated(names, names.length === data?.data.length)}
    </p>
  );
}
