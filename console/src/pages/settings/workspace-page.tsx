/** The workspace page: name, API base URL, sign-in policy, leaving and deletion. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { Suspense, useState } from 'react';
import { deleteWorkspace, type Workspace } from 'conversation-analysis-client';
import { SIGN_IN_POLICIES } from '../../../../contract/values/constants.ts';
import { Button } from '../../components/button.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
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
      <Panel title={workspace.name} actions={<Button onClick={() => setShown('create')}>{words.create}</Button>}>
        <div className="stack">
          <Facts
            facts={[
              [words.address, <Id value={location.origin + workspace.base_path} label={words.address} />],
              !may('workspace:own') && [words.signIn, words.signInPolicies[workspace.sign_in]],
              [words.role, words.roles[workspace.role]],
              [texts.labels.created, <Time at={workspace.created_at} />],
            ]}
          />
          {may('workspace:write') && <General workspace={workspace} isOwner={may('workspace:own')} />}
        </div>
      </Panel>
      <Panel>
        {workspace.members > 1 && (
          <div className={`row ${styles['head']}`}>
            <p>{words.leaveDetail}</p>
            <Button data-danger="" onClick={() => setShown('leave')}>
              {words.leave}
            </Button>
          </div>
        )}
        {may('workspace:own') && (
          <div className={`row ${styles['head']}`}>
            <p>{words.deleteDetail}</p>
            <Button data-danger="" onClick={() => setDeleting(true)}>
              {words.delete}
            </Button>
          </div>
        )}
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

function General({ workspace: { name, sign_in }, isOwner }: { workspace: Workspace; isOwner: boolean }) {
  const update = useUpdateWorkspace();
  const save = (values: Record<string, string>) => {
    const chosen = values['sign_in'] as Workspace['sign_in'] | undefined;
    // An owner who changes only the name needs no proof of identity.
    update.mutate({ body: { name: values['name'], ...(chosen !== sign_in && { sign_in: chosen }) } });
  };
  return (
    <Form error={update.error} onSubmit={save}>
      <TextField name="name" label={texts.settingTitles.name} defaultValue={name} required maxLength={LIMITS.name} />
      {isOwner && (
        <SelectField
          name="sign_in"
          label={words.signIn}
          hint={words.signInHint}
          defaultValue={sign_in}
          options={optionsOf(SIGN_IN_POLICIES, words.signInPolicies)}
        />
      )}
      <FormButtons submit={texts.labels.save} isDisabled={update.isPending} />
    </Form>
  );
}
