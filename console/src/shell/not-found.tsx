import { ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { texts } from '../texts/index.ts';

const LISTS = { ...texts.common, assistants: texts.shell.assistants };

/** @param list the list that contained the object, if the page is that of an object. */
export const NotFound = ({ list }: { list?: 'sessions' | 'deliveries' | 'experiments' | 'assistants' }) => (
  <Page>
    <PageHeader title={list ? texts.problem.codes.not_found.title : texts.common.notFound} />
    <p>{texts.common.notFoundDetail}</p>
    <p className="row">
      {list && <ButtonLink to={`/${list}`}>{LISTS[list]}</ButtonLink>}
      <ButtonLink to="/">{texts.common.toStart}</ButtonLink>
    </p>
  </Page>
);
