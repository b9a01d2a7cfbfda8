/** The state of the service, its providers and its limits. */
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, ExternalLink, TriangleAlert } from 'lucide-react';
import { ButtonAnchor } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Section } from '../../components/page.tsx';
import { publicApiUrl } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';
import { Installation } from './installation.tsx';
import { ProviderTable } from './provider-table.tsx';

const CHECK_MS = 10_000;

export const SystemPage = () => (
  <Page>
    <PageHeader
      title={texts.shell.system}
      actions={
        <ButtonAnchor href="/api/docs" target="_blank" rel="noopener">
          <ExternalLink size={14} aria-hidden />
          {texts.shell.apiDocs}
        </ButtonAnchor>
      }
    />
    <Panel title={texts.system.service}>
      <Facts
        facts={[
          [texts.system.state, <Readiness />],
          [texts.system.address, <code>{publicApiUrl()}</code>],
        ]}
      />
    </Panel>
    <Panel title={texts.system.installation}>
      <Installation />
    </Panel>
    <Section title={texts.system.providers}>
      <ProviderTable />
      <p className="note">{texts.system.providersNote}</p>
    </Section>
  </Page>
);

/** Shows `GET /readyz`, which is not part of the API contract. */
function Readiness() {
  const readiness = useQuery({
    queryKey: ['readiness'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/readyz', { signal, cache: 'no-store' });
      return (await response.json()) as { problems?: string[] };
    },
    refetchInterval: CHECK_MS,
  });
  return (
    <Loaded query={readiness} lines={1}>
      {({ problems = [] }) => {
        const isReady = problems.length === 0;
        const Icon = isReady ? CircleCheck : TriangleAlert;
        return (
          <span
            className="row"
            style={{ color: isReady ? 'var(--good)' : 'var(--warn)', fontWeight: 500 }}
            role="status"
          >
            <Icon size={14} aria-hidden />
            {isReady ? texts.system.ready : texts.system.notReady(problems.join(', '))}
          </span>
        );
      }}
    </Loaded>
  );
}
