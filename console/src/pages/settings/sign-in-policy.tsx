import type { Workspace } from 'conversation-analysis-client';
import { SIGN_IN_POLICIES, type SignInPolicy as Policy } from '../../../../contract/values/constants.ts';
import { optionsOf } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, SelectField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import { useUpdateWorkspace } from '../../components/updates.ts';

const words = texts.workspaces;

export function SignInPolicy({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const change = useUpdateWorkspace(onClose);
  return (
    <Dialog onClose={onClose} title={words.signIn}>
      <Form error={change.error} onSubmit={({ sign_in }) => change.mutate({ body: { sign_in: sign_in as Policy } })}>
        <SelectField
          name="sign_in"
          label={words.signIn}
          hint={words.signInHint}
          defaultValue={workspace.sign_in}
          options={optionsOf(SIGN_IN_POLICIES, words.signInPolicies)}
        />
        <FormButtons submit={texts.labels.save} isDisabled={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
