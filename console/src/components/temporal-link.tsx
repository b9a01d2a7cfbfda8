import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { getInfoOptions } from '../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { ButtonAnchor } from './button.tsx';
import { texts } from '../texts/index.ts';

/** Leads to the run in the Temporal UI, where one is linked. */
export function TemporalLink({ workflowId }: { workflowId: string }) {
  const { data } = useQuery({ ...getInfoOptions(), staleTime: Infinity });
  if (!data?.temporal_run_url) return null;
  const href = data.temporal_run_url.replace('{workflow_id}', encodeURIComponent(workflowId));
  return (
    <ButtonAnchor href={href} target="_blank" rel="noopener noreferrer">
      <ExternalLink size={14} aria-hidden />
      {texts.session.actions.temporal}
    </ButtonAnchor>
  );
}
