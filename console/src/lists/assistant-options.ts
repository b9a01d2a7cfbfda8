import { useQuery } from '@tanstack/react-query';
import { listAssistantsOptions } from 'conversation-analysis-client/react-query';
import type { Option } from '../components/choice.tsx';

/** Returns all assistants as options; empty until loaded. */
export function useAssistantOptions(): Option[] {
  const { data } = useQuery({ ...listAssistantsOptions(), staleTime: 60_000 });
  return data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}

/** Returns the name of an assistant; undefined until loaded, and if it was deleted. */
export const useAssistantName = (id: unknown): string | undefined =>
  useAssistantOptions().find(({ value }) => value === id)?.label;
