import { Outlet, useLocation } from '@tanstack/react-router';
import { May } from '../../components/may.tsx';
import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { SETTINGS } from '../../palette/settings-places.ts';
import { texts } from '../../texts/index.ts';

/** The frame of the settings pages, with one tab for each page of the workspace and of the user. */
export function SettingsPage() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const page = SETTINGS.find(({ to }) => to !== undefined && path.endsWith(to))?.text;
  return (
    <Page isNarrow={!path.endsWith('/audit')}>
      <PageHeader title={texts.shell.settings} tabTitle={page && `${page} · ${texts.shell.settings}`} />
      <Tabs label={texts.shell.settings}>
        {SETTINGS.map(({ to, text, scope = 'members:read' }) => (
          <May key={text} scope={scope}>
            <Tab to={to}>{text}</Tab>
          </May>
        ))}
      </Tabs>
      <Outlet />
    </Page>
  );
}
