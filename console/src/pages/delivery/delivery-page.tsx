import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { texts } from '../../texts/index.ts';

export function DeliveryPage() {
  return (
    <Page>
      <PageHeader title={texts.lists.deliveries} />
    </Page>
  );
}
