/** What the palette offers for a text: the object that it names, pages, assistants, and what can be done anywhere. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { listAssistantsOptions } from '../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { sayFailure } from '../components/toasts.tsx';
import { logOut } from '../server/login.ts';
import { prefer } from '../shell/preferences.ts';
import { texts } from '../texts/index.ts';
import { findById } from './find-by-id.ts';

export interface Entry {
  key: string;
  label: string;
  /** What kind of thing it is, at the end of its line. */
  kind: string;
  run: () => void;
}

const PAGES: readonly { to: LinkProps['to']; label: string }[] = [
  { to: '/', label: texts.shell.overview },
  { to: '/start', label: texts.shell.start },
  { to: '/sessions', label: texts.lists.sessions },
  { to: '/deliveries', label: texts.lists.deliveries },
  { to: '/batches', label: texts.lists.batches },
  { to: '/assistants', label: texts.shell.assistants },
  { to: '/usage', label: texts.shell.usage },
  { to: '/settings/tokens', label: texts.settings.tokens },
  { to: '/settings/account', label: texts.settings.account },
  { to: '/system', label: texts.shell.system },
];

const THEMES = ['system', 'light', 'dark'] as const;

const MOST_ASSISTANTS = 50;

export function useEntries(text: string): Entry[] {
  const navigate = useNavigate();
  const { data } = useQuery(listAssistantsOptions());
  const sought = text.trim().toLowerCase();
  const matches = ({ label }: Entry) => label.toLowerCase().includes(sought);

  const target = findById(text);
  const named: Entry[] = target
    ? [
        {
          key: target.id,
          label: texts.palette.open(target.id),
          kind: texts.palette.kinds[target.kind],
          run: () => void navigate(target.link),
        },
      ]
    : [];
  const pages = PAGES.map(({ to, label }): Entry => ({
    key: label,
    label,
    kind: texts.palette.page,
    run: () => void navigate({ to }),
  }));
  const assistants = (data?.data ?? []).map(({ id, name }): Entry => ({
    key: id,
    label: name,
    kind: texts.palette.kinds.asst,
    run: () => void navigate({ to: '/assistants/$assistantId', params: { assistantId: id } }),
  }));
  const actions = [
    ...THEMES.map((theme): Entry => ({
      key: theme,
      label: texts.palette.theme(texts.shell.themes[theme]),
      kind: texts.palette.action,
      run: () => prefer({ theme }),
    })),
    {
      key: 'log-out',
      label: texts.shell.logOut,
      kind: texts.palette.action,
      run: () => void logOut().then(() => navigate({ to: '/login' }), sayFailure),
    },
  ];
  const search: Entry[] =
    sought !== '' && !target
      ? [
          {
            key: 'search',
            label: texts.palette.search(text.trim()),
            kind: texts.lists.sessions,
            run: () => void navigate({ to: '/sessions', search: { q: text.trim() } }),
          },
        ]
      : [];
  const found = [...pages, ...assistants.slice(0, MOST_ASSISTANTS), ...actions].filter(matches);
  return [...named, ...(target ? [] : found), ...search];
}
