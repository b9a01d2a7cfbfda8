import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { getInfoOptions } from 'conversation-analysis-client/react-query';
import { ButtonAnchor } from './button.tsx';

/** Links to the workflow in the Temporal UI, if the installation has this UI. */
export function TemporalLink({ workflowId }: { workflowId: string }) {
  const { data } = useQuery({ ...getInfoOptions(), staleTime: Infinity });
  if (!data?.temporal_run_url) return null;
  const href = data.temporal_run_url.replace('{workflow_id}', encodeURIComponent(workflowId));
  return (
    <ButtonAnchor href={href} target="_blank" rel="noopener noreferrer">
      <ExternalLink size={14} aria-hidden />
      Temporal
    </ButtonAnchor>
  );
}
