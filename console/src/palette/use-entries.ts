/** The palette's entries for the typed text: the object with this ID, or pages, assistants and a search. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import { listAssistantsOptions, listSessionsOptions } from 'conversation-analysis-client/react-query';
import { useUpdateUser } from '../components/updates.ts';
import { useDebounced } from '../components/use-debounced.ts';
import { firstValue } from '../format/metadata.ts';
import { parseQuery } from '../search/parse.ts';
import { loginOptions } from '../server/login.ts';
import { useMay } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import { PLACES } from './places.ts';
import { SETTINGS } from './settings-places.ts';

const words = texts.palette;

export interface Entry {
  label: string;
  /** Shown at the end of the line. */
  kind: string;
  run: () => void;
}

type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

const MAX_ASSISTANTS = 50;
const MAX_LABEL = 90;
const cut = (text: string) => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text);

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
  const link = (label: string, kind: string, target: Target): Entry => ({
    label,
    kind,
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
    .map(({ to, text: label }) => link(label, words.page, { to }));
  const assistants = data?.data.map((each) => link(each.name, texts.kinds.asst, TARGETS.asst(each.id))) ?? [];
  const sessions = (found.data?.data ?? []).map(({ session_id, metadata, summary_text, assistant, hit }) => {
    const label = [firstValue(metadata), hit?.text ?? cut(summary_text ?? assistant.name)].filter(Boolean).join(' · ');
    return link(label, texts.kinds.sess, { ...TARGETS.sess(session_id), search: { q, t: hit?.start_s ?? undefined } });
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
          link(words.search(query), texts.common.sessions, { to: '/sessions', search: { q: query } }),
        ]),
  ];
}
