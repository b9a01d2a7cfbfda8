/** The workspace page: name, API base URL, sign-in policy, leaving and deletion. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { Suspense, useState } from 'react';
import type { Workspace } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { May } from '../../components/may.tsx';
import { Panel } from '../../components/page.tsx';
import { Id, Time } from '../../components/values.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { useMay, useWorkspace } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { useUpdateWorkspace } from '../../components/updates.ts';
import styles from './settings.module.css';

const DIALOGS = {
  create: lazyPart(() => import('../../shell/new-workspace.tsx'), 'NewWorkspace'),
  signIn: lazyPart(() => import('./sign-in-policy.tsx'), 'SignInPolicy'),
  leave: lazyPart(() => import('./remove-member.tsx'), 'LeaveWorkspace'),
  delete: lazyPart(() => import('./delete-workspace.tsx'), 'DeleteWorkspace'),
};

const words = texts.workspaces;

export function WorkspacePage() {
  const workspace = useWorkspace();
  const may = useMay();
  const [shown, setShown] = useState<keyof typeof DIALOGS>();
  if (!workspace) return null;
  const OpenDialog = shown && DIALOGS[shown];
  return (
    <>
      <Panel title={words.general}>
        <General workspace={workspace} />
      </Panel>
      <Panel
        title={words.signIn}
        actions={
          may('workspace:own') && (
            <Button size="small" onClick={() => setShown('signIn')}>
              {words.changeSignIn}
            </Button>
          )
        }
      >
        <p>{words.signInPolicies[workspace.sign_in]}</p>
        <p className="note">{words.signInDetail}</p>
      </Panel>
      <Panel>
        <div className={`row ${styles['head']}`}>
          <p>{words.createDetail}</p>
          <Button onClick={() => setShown('create')}>{words.create}</Button>
        </div>
        {workspace.members > 1 && (
          <div className={`row ${styles['head']}`}>
            <p>{words.leaveDetail}</p>
            <Button onClick={() => setShown('leave')}>{words.leave}</Button>
          </div>
        )}
        <May scope="workspace:own">
          <div className={`row ${styles['head']}`}>
            <p>{words.deleteDetail}</p>
            <Button look="danger" onClick={() => setShown('delete')}>
              {words.delete}
            </Button>
          </div>
        </May>
      </Panel>
      <Suspense>{OpenDialog && <OpenDialog workspace={workspace} onClose={() => setShown(undefined)} />}</Suspense>
    </>
  );
}

function General({ workspace }: { workspace: Workspace }) {
  const { name, role, created_at, base_path } = workspace;
  const may = useMay();
  const update = useUpdateWorkspace();
  return (
    <div className={styles['general']}>
      {may('workspace:write') && (
        <Form error={update.error} onSubmit={(body) => update.mutate({ body })}>
          <TextField name="name" label={texts.labels.name} defaultValue={name} required maxLength={LIMITS.name} />
          <FormButtons submit={texts.labels.save} isDisabled={update.isPending} />
        </Form>
      )}
      <Facts
        facts={[
          [words.role, words.roles[role]],
          [texts.workspaces.address, <Id value={location.origin + base_path} label={texts.workspaces.address} />],
          [texts.labels.created, <Time at={created_at} />],
        ]}
      />
    </div>
  );
}
