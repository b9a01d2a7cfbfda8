import { Outlet, useRouterState } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';

/** The frame of the settings; its tabs are pages of their own. */
export function SettingsPage() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <Page isNarrow>
      <PageHeader title={texts.settings.title} />
      <Tabs label={texts.settings.title}>
        <Tab to="/settings/tokens" isCurrent={path.endsWith('/tokens')}>
          {texts.settings.tokens}
        </Tab>
        <Tab to="/settings/account" isCurrent={path.endsWith('/account')}>
          {texts.settings.account}
        </Tab>
      </Tabs>
      <Outlet />
    </Page>
  );
}
