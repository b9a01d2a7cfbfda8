import { Page } from '../../components/page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { texts } from '../../texts/index.ts';

export function StartPage() {
  return (
    <Page>
      <PageHeader title={texts.start.title} />
    </Page>
  );
}
