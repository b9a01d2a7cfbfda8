import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { May } from '../../components/may.tsx';
import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

const words = texts.workspaces;

/** The frame of the settings pages, with one tab for each page of the workspace and of the user. */
export const SettingsPage = () => (
  <Page isNarrow>
    <PageHeader title={texts.shell.settings} />
    <div className={styles['halves']}>
      <Half title={words.workspace}>
        <Tab to="/settings/workspace">{words.general}</Tab>
        <Tab to="/settings/members">{words.members}</Tab>
        <May scope="keys:read">
          <Tab to="/settings/tokens">{texts.settings.tokens}</Tab>
        </May>
        <May scope="audit:read">
          <Tab to="/settings/audit">{texts.settings.audit}</Tab>
        </May>
      </Half>
      <Half title={words.you}>
        <Tab to="/settings/account">{texts.settings.account}</Tab>
        <Tab to="/settings/security">{texts.settings.security}</Tab>
      </Half>
    </div>
    <Outlet />
  </Page>
);

const Half = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <p className="note">{title}</p>
    <Tabs label={title}>{children}</Tabs>
  </div>
);
