/** The palette's entries for the typed text: the object with this ID, or pages, assistants and a search. */
import { Bot, MessagesSquare, Search, type LucideIcon } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import type { SearchHit } from 'conversation-analysis-client';
import { listAssistantsOptions, listSessionsOptions } from 'conversation-analysis-client/react-query';
import { useUpdateUser } from '../components/updates.ts';
import { useDebounced } from '../components/use-debounced.ts';
import { pairsOf } from '../format/metadata.ts';
import { formatShortTime } from '../format/times.ts';
import { parseQuery } from '../search/parse.ts';
import { loginOptions } from '../server/login.ts';
import { useMay } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import { PLACES } from './places.ts';
import { SETTINGS } from './settings-places.ts';

const words = texts.palette;

export interface Entry {
  label: string;
  /** The heading of the entries of this kind. */
  kind: string;
  icon?: LucideIcon | undefined;
  /** A second line: where a search matches, or a summary. */
  said?: SearchHit | string | undefined;
  run: () => void;
}

type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

const MAX_ASSISTANTS = 50;

/** The page of an ID, by the prefix of the ID. */
const TARGETS = {
  sess: (sessionId: string): Target => ({ to: '/sessions/$sessionId', params: { sessionId } }),
  dlv: (deliveryId: string): Target => ({ to: '/deliveries/$deliveryId', params: { deliveryId } }),
  asst: (assistantId: string): Target => ({ to: '/assistants/$assistantId', params: { assistantId } }),
  bat: (batchId: string): Target => ({ to: '/batches/$batchId', params: { batchId } }),
  key: (): Target => ({ to: '/settings/tokens' }),
};

/** Returns the page of the object with this ID, if there is one. */
export const targetOf = (id: string): Target | undefined => TARGETS[id.split('_')[0] as keyof typeof TARGETS]?.(id);

const ID = /\b(sess|dlv|asst|bat|key)_[0-9a-hjkmnp-tv-z]{26}\b/;

const MIN_SEARCHED = 3;
const MAX_FOUND = 5;

export function useEntries(text: string): Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery(listAssistantsOptions());
  const { data: user } = useQuery(loginOptions);
  const update = useUpdateUser();
  const may = useMay();
  const q = useDebounced(text.trim());
  const found = useQuery({
    ...listSessionsOptions({ query: { q, limit: MAX_FOUND, include: 'hit' } }),
    enabled: q.length >= MIN_SEARCHED && !ID.test(q),
  });
  const link = (label: string, kind: string, target: Target, icon?: LucideIcon, said?: Entry['said']): Entry => ({
    ...{ label, kind, icon, said },
    run: () => void navigate(target),
  });

  // The text may be a pasted log line.
  const [id, prefix] = ID.exec(text) ?? [];
  if (id !== undefined) {
    const kind = prefix as keyof typeof TARGETS;
    return [link(words.open(id), texts.kinds[kind], TARGETS[kind](id))];
  }
  const query = text.trim();
  const matches = ({ label }: Entry) => label.toLowerCase().includes(query.toLowerCase());
  const pages = [...PLACES, ...SETTINGS]
    .filter(({ scope = 'members:read' }) => may(scope))
    .map(({ to, text: label, icon }) => link(label, words.page, { to }, icon));
  const assistants =
    data?.data.map((each) => link(each.name, texts.shell.assistants, TARGETS.asst(each.id), Bot)) ?? [];
  const sessions = (found.data?.data ?? []).map(({ session_id, metadata, summary_text, assistant, hit, ...row }) => {
    const values = pairsOf(metadata)
      .slice(0, 2)
      .map(([, value]) => value);
    const label = [...(values.length > 0 ? values : [assistant.name]), formatShortTime(row.occurred_at)].join(' · ');
    const target = { ...TARGETS.sess(session_id), search: { q, t: hit?.start_s ?? undefined } };
    return link(label, texts.common.sessions, target, MessagesSquare, hit ?? summary_text ?? undefined);
  });
  // The console saves no views any more. Those that exist stay here until the user deletes them.
  // oxlint-disable-next-line typescript/no-deprecated
  const views = Object.entries(user?.views ?? {}).flatMap(([name, path]) => {
    const [to = '', search = ''] = path.split('?');
    // oxlint-disable-next-line typescript/no-deprecated
    const remove = () => update.mutate({ body: { views: { [name]: null } } });
    return [
      link(name, words.view, { to: to as LinkProps['to'], search: parseQuery(search) }),
      { label: texts.labels.deleteTitle(name), kind: words.view, run: remove },
    ];
  });
  return [
    ...pages.filter(matches),
    ...assistants.filter(matches).slice(0, MAX_ASSISTANTS),
    ...views.filter(matches),
    ...(query === ''
      ? []
      : [
          ...(q === query ? sessions : []),
          link(words.search(query), texts.common.sessions, { to: '/sessions', search: { q: query } }, Search),
        ]),
  ];
}
