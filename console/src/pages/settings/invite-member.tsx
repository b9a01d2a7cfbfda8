import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedInvitation, InvitationInput, Workspace } from 'conversation-analysis-client';
import { createInvitationMutation } from 'conversation-analysis-client/react-query';
import { MEMBER_ROLES, type MemberRole } from '../../../../contract/values/constants.ts';
import { optionsOf } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { OnceDialog } from '../../components/once-dialog.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const words = texts.members;
const hints = texts.workspaces.roleHints;

/** Returns the roles that a member with this role can assign, as options. Only owners can assign the role of owner. */
export const rolesUpTo = (own: MemberRole) =>
  optionsOf(
    MEMBER_ROLES.filter((role) => role !== 'owner' || own === 'owner'),
    texts.workspaces.roles,
  );

interface InviteMemberProps {
  workspace: Workspace;
  onClose: () => void;
  onInvited: (invitation: CreatedInvitation) => void;
}

export function InviteMember({ workspace, onClose, onInvited }: InviteMemberProps) {
  const [role, setRole] = useState<InvitationInput['role']>('analyst');
  const invite = useMutation({
    ...createInvitationMutation(),
    onSuccess: (invitation) => {
      void refresh('listInvitations');
      onInvited(invitation);
    },
  });
  return (
    <Dialog onClose={onClose} title={words.invite}>
      <Form error={invite.error} onSubmit={({ email = '' }) => invite.mutate({ body: { email, role } })}>
        <TextField name="email" label={texts.inputs.email} type="email" autoComplete="off" required autoFocus />
        <SelectField
          name="role"
          label={words.role}
          hint={hints[role]}
          value={role}
          options={rolesUpTo(workspace.role)}
          onChange={({ target }) => setRole(target.value as typeof role)}
        />
        <FormButtons submit={words.invite} isDisabled={invite.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Shows the link of an invitation, once. */
export function InvitationLink({ invitation, onClose }: { invitation: CreatedInvitation; onClose: () => void }) {
  return (
    <OnceDialog
      title={words.linkReady}
      detail={invitation.mailed ? words.linkMailed(invitation.email) : words.linkDetail(invitation.email)}
      text={`${location.origin}/console/invitation#${invitation.token}`}
      onClose={onClose}
    />
  );
}
