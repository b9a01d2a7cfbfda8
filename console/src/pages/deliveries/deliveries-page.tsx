import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { texts } from '../../texts/index.ts';

export function DeliveriesPage() {
  return (
    <Page>
      <PageHeader title={texts.lists.title} />
    </Page>
  );
}
