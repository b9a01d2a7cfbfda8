import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Session } from 'conversation-analysis-client';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';
import { CostTab } from './cost-tab.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { ReviewedResult } from './reviewed-result.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { SESSION_TABS, type SessionTab } from './session-search.ts';
import type { ShowQuotes } from './turns.ts';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.session.tabs;

interface SessionTabsProps {
  session: Session;
  onShow: ShowQuotes;
}

export function SessionTabs({ session, onShow }: SessionTabsProps) {
  const { tab = 'result' } = route.useSearch();
  const sessionId = session.session_id;
  const Body = BODIES[tab];
  return (
    <>
      <Tabs label={texts.session.title}>
        {SESSION_TABS.map((name) => (
          <Tab
            key={name}
            to="/sessions/$sessionId"
            params={{ sessionId }}
            search={{ tab: name === 'result' ? undefined : name }}
            isCurrent={name === tab}
            resetScroll={false}
          >
            {words[name]}
          </Tab>
        ))}
      </Tabs>
      <h2 className="visually-hidden">{words[tab]}</h2>
      <Body session={session} onShow={onShow} />
    </>
  );
}

const BODIES: Record<SessionTab, (props: SessionTabsProps) => ReactNode> = {
  result: ReviewedResult,
  cost: CostTab,
  settings: SettingsTab,
  deliveries: DeliveriesTab,
};
