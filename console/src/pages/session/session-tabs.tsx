import { getRouteApi } from '@tanstack/react-router';
import { Suspense, type ComponentType } from 'react';
import type { Session } from 'conversation-analysis-client';
import { Skeleton } from '../../components/page.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { useMay } from '../../server/membership.ts';
import { lazyPart } from '../../server/load-file.ts';
import { texts } from '../../texts/index.ts';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { ReviewedResult } from './reviewed-result.tsx';
import { SESSION_TABS, type SessionTab } from './session-search.ts';
import type { ShowQuotes } from '../../conversation/turns.ts';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = {
  result: texts.share.parts.fields,
  settings: texts.shell.settings,
  deliveries: texts.common.deliveries,
};

interface SessionTabsProps {
  session: Session;
  onShow: ShowQuotes;
}

export function SessionTabs({ session, onShow }: SessionTabsProps) {
  const may = useMay();
  // Without a result, there are no answers to show.
  const tabs = SESSION_TABS.slice(session.raw_response === null ? 1 : 0).filter(
    (name) => name !== 'deliveries' || may('webhooks:read'),
  );
  const { tab: wanted } = route.useSearch();
  const tab = tabs.find((name) => name === wanted) ?? tabs[0] ?? 'result';
  const sessionId = session.session_id;
  const Body = BODIES[tab];
  return (
    <>
      <Tabs label={texts.kinds.sess}>
        {tabs.map((name) => (
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
      <Suspense fallback={<Skeleton lines={16} />}>
        <Body session={session} onShow={onShow} />
      </Suspense>
    </>
  );
}

const BODIES: Record<SessionTab, ComponentType<SessionTabsProps>> = {
  result: ReviewedResult,
  settings: lazyPart(() => import('./settings-tab.tsx'), 'SettingsTab'),
  deliveries: DeliveriesTab,
};
