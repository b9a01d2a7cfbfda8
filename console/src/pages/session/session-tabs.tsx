import { getRouteApi, Link } from '@tanstack/react-router';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import type { Quote } from '../../../../contract/result-fields.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { Tab, Tabs } from '../../components/tabs.tsx';
import { texts } from '../../texts/index.ts';
import { CostTab } from './cost-tab.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { RawTab } from './raw-tab.tsx';
import { ResultTab } from './result-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { SESSION_TABS } from './session-search.ts';
import type { SessionTab } from './session-search.ts';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.session.tabs;

interface SessionTabsProps {
  session: Session;
  /** Shows where these words were said. */
  onShow: (quotes: readonly Quote[]) => void;
}

export function SessionTabs({ session, onShow }: SessionTabsProps) {
  const { tab = 'result' } = route.useSearch();
  const sessionId = session.session_id;
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
      <TabBody tab={tab} session={session} onShow={onShow} />
    </>
  );
}

function TabBody({ tab, session, onShow }: SessionTabsProps & { tab: SessionTab }) {
  switch (tab) {
    case 'result':
      return <ResultTab session={session} onShow={onShow} />;
    case 'cost':
      return <CostTab session={session} />;
    case 'settings':
      return <SettingsTab session={session} />;
    case 'deliveries':
      return <DeliveriesTab session={session} />;
    case 'metadata':
      return <Metadata metadata={session.metadata} />;
    case 'raw':
      return <RawTab session={session} />;
  }
}

function Metadata({ metadata }: { metadata: Record<string, string> }) {
  const pairs = Object.entries(metadata);
  if (pairs.length === 0) return <EmptyState title={words.noMetadata} detail={words.noMetadataWhy} />;
  return (
    <Facts
      facts={pairs.map(([key, value]) => [
        key,
        <Link key={key} to="/sessions" search={{ metadata: `${key}=${value}` }} title={words.sameMetadata}>
          {value === '' ? texts.common.none : value}
        </Link>,
      ])}
    />
  );
}
