import { Outlet } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';

/** The frame of the settings. Each tab is a page. */
export const SettingsPage = () => (
  <Page isNarrow>
    <PageHeader title={texts.settings.title} />
    <Tabs label={texts.settings.title}>
      <Tab to="/settings/tokens">{texts.settings.tokens}</Tab>
      <Tab to="/settings/account">{texts.settings.account}</Tab>
      <Tab to="/settings/security">{texts.settings.security}</Tab>
      <Tab to="/settings/audit">{texts.settings.audit}</Tab>
    </Tabs>
    <Outlet />
  </Page>
);
