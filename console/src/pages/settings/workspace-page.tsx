/** The workspace page: name, API base URL, sign-in policy, leaving and deletion. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { Suspense, useState } from 'react';
import { deleteWorkspace, type Workspace } from 'conversation-analysis-client';
import { SIGN_IN_POLICIES } from '../../../../contract/values/constants.ts';
import { Button } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { May } from '../../components/may.tsx';
import { Panel } from '../../components/page.tsx';
import { PasswordDialog } from '../../components/password-dialog.tsx';
import { Id, Time } from '../../components/values.tsx';
import { lazyPart } from '../../server/load-file.ts';
import { useMay, useWorkspace } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { useUpdateWorkspace } from '../../components/updates.ts';
import styles from './settings.module.css';

const DIALOGS = {
  create: lazyPart(() => import('../../shell/new-workspace.tsx'), 'NewWorkspace'),
  leave: lazyPart(() => import('./remove-member.tsx'), 'LeaveWorkspace'),
};

const words = texts.workspaces;

export function WorkspacePage() {
  const workspace = useWorkspace();
  const may = useMay();
  const [shown, setShown] = useState<keyof typeof DIALOGS>();
  const [isDeleting, setDeleting] = useState(false);
  if (!workspace) return null;
  const OpenDialog = shown && DIALOGS[shown];
  return (
    <>
      <Panel>
        <General workspace={workspace} />
      </Panel>
      <Panel title={words.signIn}>
        {may('workspace:own') ? (
          <SignIn workspace={workspace} />
        ) : (
          <>
            <p>{words.signInPolicies[workspace.sign_in]}</p>
            <p className="note">{words.signInDetail}</p>
          </>
        )}
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
            <Button onClick={() => setDeleting(true)}>{words.delete}</Button>
          </div>
        </May>
      </Panel>
      <Suspense>{OpenDialog && <OpenDialog workspace={workspace} onClose={() => setShown(undefined)} />}</Suspense>
      {isDeleting && (
        <PasswordDialog
          title={texts.labels.deleteTitle(workspace.name)}
          detail={<p>{words.deleteDetail}</p>}
          action={words.delete}
          run={async (body) => {
            await deleteWorkspace({ body, throwOnError: true });
            location.assign('/console/');
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

/** What members need to open the workspace. */
function SignIn({ workspace }: { workspace: Workspace }) {
  const update = useUpdateWorkspace();
  return (
    <Form
      error={update.error}
      onSubmit={({ sign_in }) => update.mutate({ body: { sign_in: sign_in as Workspace['sign_in'] } })}
    >
      <SelectField
        name="sign_in"
        label={words.signInDetail}
        hint={words.signInHint}
        defaultValue={workspace.sign_in}
        options={optionsOf(SIGN_IN_POLICIES, words.signInPolicies)}
      />
      <FormButtons submit={texts.labels.save} isDisabled={update.isPending} />
    </Form>
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
