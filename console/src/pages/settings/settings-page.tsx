import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { May } from '../../components/may.tsx';
import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

const words = texts.workspaces;

const TITLES: Record<string, string> = {
  workspace: words.general,
  members: words.members,
  tokens: texts.settings.tokens,
  audit: texts.settings.audit,
  account: texts.settings.account,
  security: texts.settings.security,
};

/** The frame of the settings pages, with one tab for each page of the workspace and of the user. */
export function SettingsPage() {
  const page = useLocation({ select: ({ pathname }) => TITLES[pathname.split('/').at(-1) ?? ''] });
  return (
    <Page isNarrow>
      <PageHeader title={texts.shell.settings} tabTitle={page && `${page} · ${texts.shell.settings}`} />
      <div className={styles['halves']}>
        <Half title={words.workspace}>
          <Tab to="/settings/workspace">{TITLES.workspace}</Tab>
          <Tab to="/settings/members">{TITLES.members}</Tab>
          <May scope="keys:read">
            <Tab to="/settings/tokens">{TITLES.tokens}</Tab>
          </May>
          <May scope="audit:read">
            <Tab to="/settings/audit">{TITLES.audit}</Tab>
          </May>
        </Half>
        <Half title={words.you}>
          <Tab to="/settings/account">{TITLES.account}</Tab>
          <Tab to="/settings/security">{TITLES.security}</Tab>
        </Half>
      </div>
      <Outlet />
    </Page>
  );
}

const Half = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <p className="note">{title}</p>
    <Tabs label={title}>{children}</Tabs>
  </div>
);
