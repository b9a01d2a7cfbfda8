/** What runs here: whether it is ready, which models and limits it knows, and where to read on. */
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, ExternalLink, TriangleAlert } from 'lucide-react';
import { ButtonAnchor } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { publicApiUrl } from '../../server/client.ts';
import { readinessOptions } from '../../server/health.ts';
import { texts } from '../../texts/index.ts';
import { Installation } from './installation.tsx';
import { ProviderTable } from './provider-table.tsx';
import styles from './system.module.css';

const DOCS = '/api/docs';

export const SystemPage = () => (
  <Page>
    <PageHeader
      title={texts.system.title}
      actions={
        <ButtonAnchor href={DOCS} target="_blank" rel="noopener">
          <ExternalLink size={14} aria-hidden />
          {texts.shell.apiDocs}
        </ButtonAnchor>
      }
    />
    <Panel title={texts.system.service}>
      <Facts
        facts={[
          [texts.system.state, <Readiness key="state" />],
          [texts.system.address, <code key="address">{publicApiUrl()}</code>],
        ]}
      />
    </Panel>
    <Panel title={texts.system.installation}>
      <Installation />
    </Panel>
    <section className={styles['section']}>
      <h2>{texts.system.providers}</h2>
      <ProviderTable />
      <p className={styles['note']}>{texts.system.providersNote}</p>
    </section>
  </Page>
);

function Readiness() {
  const { data, error } = useQuery(readinessOptions);
  if (error) return <Problem error={error} />;
  if (!data) return <Skeleton lines={1} />;
  const isReady = data.problems.length === 0;
  const Icon = isReady ? CircleCheck : TriangleAlert;
  return (
    <span className={isReady ? styles['ready'] : styles['missing']} role="status">
      <Icon size={14} aria-hidden />
      {isReady ? texts.system.ready : texts.system.notReady(data.problems.join(', '))}
    </span>
  );
}
