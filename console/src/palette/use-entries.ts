/** The palette's entries for the typed text: the object with this ID, or pages, assistants, actions and a search. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { listAssistantsOptions } from 'conversation-analysis-client/react-query';
import type { Scope } from '../../../contract/values/scopes.ts';
import { showFailure } from '../components/toasts.tsx';
import { logOut } from '../server/login.ts';
import { useMay, useWorkspace, workspacesOptions } from '../server/membership.ts';
import { homeOf } from '../server/workspace.ts';
import { savePreferences } from '../format/preferences.ts';
import { texts } from '../texts/index.ts';

const words = texts.palette;

export interface Entry {
  label: string;
  /** Shown at the end of the line. */
  kind: string;
  run: () => void;
}

type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

const PAGES: readonly (readonly [to: LinkProps['to'], label: string, scope?: Scope])[] = [
  ['/', texts.shell.overview],
  ['/start', texts.shell.start, 'requests:write'],
  ['/sessions', texts.lists.sessions],
  ['/deliveries', texts.lists.deliveries],
  ['/batches', texts.lists.batches],
  ['/assistants', texts.shell.assistants],
  ['/usage', texts.shell.usage],
  ['/settings/workspace', texts.workspaces.workspace],
  ['/settings/members', texts.workspaces.members],
  ['/settings/tokens', texts.settings.tokens, 'keys:read'],
  ['/settings/account', texts.settings.account, 'account:read'],
  ['/settings/security', texts.settings.security, 'account:read'],
  ['/settings/audit', texts.settings.audit, 'audit:read'],
  ['/system', texts.shell.system],
];

const THEMES = ['system', 'light', 'dark'] as const;

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

export function useEntries(text: string): Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery(listAssistantsOptions());
  const { data: workspaces } = useQuery(workspacesOptions);
  const current = useWorkspace();
  const may = useMay();
  const link = (label: string, kind: string, target: Target): Entry => ({
    label,
    kind,
    run: () => void navigate(target),
  });

  // The text may be a pasted log line.
  const [id, prefix] = ID.exec(text) ?? [];
  if (id !== undefined) {
    const kind = prefix as keyof typeof TARGETS;
    return [link(words.open(id), words.kinds[kind], TARGETS[kind](id))];
  }
  const query = text.trim();
  const matches = ({ label }: Entry) => label.toLowerCase().includes(query.toLowerCase());
  const pages = PAGES.filter(([, , scope = 'members:read']) => may(scope)).map(([to, label]) =>
    link(label, words.page, { to }),
  );
  const assistants = data?.data.map((each) => link(each.name, words.kinds.asst, TARGETS.asst(each.id))) ?? [];
  const others = workspaces?.data.filter(({ workspace_id }) => workspace_id !== current?.workspace_id) ?? [];
  const actions: Entry[] = [
    ...others.map(({ workspace_id, name }) => ({
      label: name,
      kind: texts.workspaces.switch,
      run: () => location.assign(homeOf(workspace_id)),
    })),
    ...THEMES.map((theme) => ({
      label: words.theme(texts.shell.themes[theme]),
      kind: words.action,
      run: () => savePreferences({ theme }),
    })),
    {
      label: texts.shell.logOut,
      kind: words.action,
      run: () => void logOut().catch(showFailure),
    },
  ];
  return [
    ...pages.filter(matches),
    ...assistants.filter(matches).slice(0, MAX_ASSISTANTS),
    ...actions.filter(matches),
    ...(query === ''
      ? []
      : [link(words.search(query), texts.lists.sessions, { to: '/sessions', search: { q: query } })]),
  ];
}
