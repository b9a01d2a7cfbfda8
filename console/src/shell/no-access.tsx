/** Shown instead of pages that the user can't access. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MEMBER_ROLES } from '../../../contract/values/constants.ts';
import { hasRoleScope, type Scope } from '../../../contract/values/scopes.ts';
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useWorkspace, workspacesOptions } from '../server/membership.ts';
import { homeOf } from '../server/workspace.ts';
import { texts } from '../texts/index.ts';
import { NewWorkspace } from './new-workspace.tsx';

const words = texts.workspaces;

/** Shown if the user is not a member of the workspace. Links are page loads, which discard the workspace's data. */
export function NotMember() {
  const { data: workspaces } = useQuery(workspacesOptions);
  const [isCreating, setCreating] = useState(false);
  const isNowhere = workspaces?.data.length === 0;
  return (
    <Page>
      <PageHeader title={isNowhere ? words.nowhere : words.outside} />
      <p>{isNowhere ? words.nowhereDetail : words.outsideDetail}</p>
      <div className="row">
        {workspaces?.data.map(({ workspace_id, name }) => (
          <ButtonAnchor key={workspace_id} href={homeOf(workspace_id)}>
            {words.open(name)}
          </ButtonAnchor>
        ))}
        {isNowhere && (
          <>
            <Button look="primary" onClick={() => setCreating(true)}>
              {words.create}
            </Button>
            <ButtonAnchor href="/console/settings/account">{texts.settings.account}</ButtonAnchor>
          </>
        )}
      </div>
      {isCreating && <NewWorkspace onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** Shown if the user's role does not include the page. Lists the roles that do. */
export function Forbidden({ scope }: { scope: Scope }) {
  const role = useWorkspace()?.role;
  const roles = MEMBER_ROLES.filter((each) => hasRoleScope(each, scope)).map((each) => words.roles[each]);
  return (
    <Page>
      <PageHeader title={words.forbidden} />
      {role && <p>{words.forbiddenDetail(words.roles[role], roles.join(', '))}</p>}
      <p>
        <ButtonLink to="/">{texts.common.toStart}</ButtonLink>
      </p>
    </Page>
  );
}
