/** The palette's entries for the typed text: the object with this ID, or pages, assistants, actions and a search. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import { listAssistantsOptions, listSessionsOptions } from 'conversation-analysis-client/react-query';
import { BATCH_ACTIONS, CONSOLE_LANGUAGES } from '../../../contract/values/constants.ts';
import type { Scope } from '../../../contract/values/scopes.ts';
import { findRecentPages } from '../components/recent-pages.ts';
import { showFailure } from '../components/toasts.tsx';
import { useDebounced } from '../components/use-debounced.ts';
import { firstValue } from '../format/metadata.ts';
import { logOut, setLanguage } from '../server/login.ts';
import { useMay, useWorkspace, workspacesOptions } from '../server/membership.ts';
import { history, homeOf } from '../server/workspace.ts';
import { savePreferences } from '../format/preferences.ts';
import { LANGUAGE_NAMES, texts } from '../texts/index.ts';

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
  ['/sessions', texts.common.sessions],
  ['/review', texts.shell.review, 'reviews:write'],
  ['/deliveries', texts.common.deliveries],
  ['/experiments', texts.common.experiments],
  ['/batches', texts.common.batches],
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
const MAX_LABEL = 90;

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

/** Returns the actions of the page behind the palette: the buttons beside its titles, and above its list. */
export const findPageActions = (): Entry[] =>
  [
    ...document.querySelectorAll<HTMLElement>('#content :is(header, [data-actions]) :is(button, a):not([disabled])'),
  ].map((element) => ({
    label: element.textContent.trim() || (element.ariaLabel ?? ''),
    kind: texts.labels.actions,
    run: () => element.click(),
  }));

const MIN_SEARCHED = 3;
const MAX_FOUND = 5;

/** @param pageActions the actions of the page. */
export function useEntries(text: string, pageActions: readonly Entry[]): Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery(listAssistantsOptions());
  const { data: workspaces } = useQuery(workspacesOptions);
  const current = useWorkspace();
  const may = useMay();
  const q = useDebounced(text.trim());
  const found = useQuery({
    ...listSessionsOptions({ query: { q, limit: MAX_FOUND } }),
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
  const pages = PAGES.filter(([, , scope = 'members:read']) => may(scope)).map(([to, label]) =>
    link(label, words.page, { to }),
  );
  const assistants = data?.data.map((each) => link(each.name, texts.kinds.asst, TARGETS.asst(each.id))) ?? [];
  const others = workspaces?.data.filter(({ workspace_id }) => workspace_id !== current?.workspace_id) ?? [];
  const sessions = (found.data?.data ?? []).map(({ session_id, metadata, summary_text, assistant }) => {
    const label = [firstValue(metadata), summary_text ?? assistant.name].filter(Boolean).join(' · ');
    return link(
      label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL)}…` : label,
      texts.kinds.sess,
      TARGETS.sess(session_id),
    );
  });
  const recentPages = findRecentPages().map(({ path, title }) => ({
    label: title,
    kind: words.recent,
    run: () => history.push(path),
  }));
  const actions: Entry[] = [
    ...pageActions,
    link(`${texts.common.sessions}: CSV, JSONL, ZIP`, texts.batches.action, { to: '/sessions' }),
    ...(may('sessions:write') ? BATCH_ACTIONS : []).map((action) =>
      link(`${texts.kinds.bat}: ${texts.batches.actions[action]}`, texts.batches.action, {
        // Deliveries are chosen first.
        to: action === 'redeliver' ? '/deliveries' : '/batches/new',
        search: { action },
      }),
    ),
    ...others.map(({ workspace_id, name }) => ({
      label: name,
      kind: texts.workspaces.switch,
      run: () => location.assign(homeOf(workspace_id)),
    })),
    ...THEMES.map((theme) => ({
      label: words.theme(texts.preferences.themes[theme]),
      kind: texts.batches.action,
      run: () => savePreferences({ theme }),
    })),
    ...CONSOLE_LANGUAGES.map((language) => ({
      label: `${texts.shell.language}: ${LANGUAGE_NAMES[language]}`,
      kind: texts.batches.action,
      run: () => void setLanguage(language).catch(showFailure),
    })),
    { label: texts.shell.logOut, kind: texts.batches.action, run: () => void logOut().catch(showFailure) },
  ];
  return [
    ...recentPages.filter(matches),
    ...pages.filter(matches),
    ...assistants.filter(matches).slice(0, MAX_ASSISTANTS),
    ...actions.filter(matches),
    ...(query === ''
      ? []
      : [
          ...(q === query ? sessions : []),
          link(words.search(query), texts.common.sessions, { to: '/sessions', search: { q: query } }),
        ]),
  ];
}
