import { useQuery } from '@tanstack/react-query';
import { listKeysOptions, listMembersOptions } from 'conversation-analysis-client/react-query';
import { useMay } from '../server/membership.ts';
import { texts } from '../texts/index.ts';

/** The names are requested once a minute at most: they rarely change, and many pages show one. */
const STALE_MS = 60_000;

/** Shows the name of a member, or of a token with its creator. */
export function Creator({ id }: { id: string }) {
  const isToken = id.startsWith('key_');
  const enabled = useMay()('keys:read');
  const keys = useQuery({ ...listKeysOptions(), enabled: isToken && enabled, staleTime: STALE_MS });
  const members = useQuery({ ...listMembersOptions(), enabled: !isToken, staleTime: STALE_MS });
  const key = keys.data?.data.find(({ key_id }) => key_id === id);
  const member = members.data?.data.find(({ user_id }) => user_id === id);
  const name = key ? texts.sessions.tokenOf(key.name, key.created_by_name) : member?.name;
  return (
    <span className="cut" dir="auto" title={name ? `${name} · ${id}` : id}>
      {name ?? (isToken ? texts.kinds.key : members.data ? texts.sessions.formerMember : '…')}
    </span>
  );
}
