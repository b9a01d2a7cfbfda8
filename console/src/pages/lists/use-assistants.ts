import { useQuery } from '@tanstack/react-query';
import { listAssistantsOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';

/** Returns all assistants of the user as options of a filter; empty until they are read. */
export function useAssistantOptions(): { value: string; label: string }[] {
  const { data } = useQuery({ ...listAssistantsOptions(), staleTime: 60_000 });
  return data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
}
