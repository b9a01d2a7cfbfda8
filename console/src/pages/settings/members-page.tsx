/** The members and the open invitations of the workspace. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { CreatedInvitation, Member, Workspace } from 'conversation-analysis-client';
import { listMembersOptions, updateMemberMutation } from 'conversation-analysis-client/react-query';
import type { MemberRole } from '../../../../contract/values/constants.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { showToast } from '../../components/toasts.tsx';
import { reporting } from '../../components/updates.ts';
import { Time } from '../../components/values.tsx';
import { loginOptions } from '../../server/login.ts';
import { useMay, useWorkspace } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import { InvitationLink, InviteMember, rolesUpTo } from './invite-member.tsx';
import { Invitations } from './invitations.tsx';
import { RemoveMember } from './remove-member.tsx';
import styles from './settings.module.css';

const words = texts.members;

export function MembersPage() {
  const workspace = useWorkspace();
  const may = useMay();
  const members = useQuery(listMembersOptions());
  const [isInviting, setInviting] = useState(false);
  const [invitation, setInvitation] = useState<CreatedInvitation>();
  const [removed, setRemoved] = useState<Member>();
  const update = useMutation({
    ...updateMemberMutation(),
    ...reporting('listMembers', 'listWorkspaces', 'listInvitations'),
    onSuccess: () => showToast(texts.labels.saved),
  });
  const columns = useColumns({
    workspace,
    onRole: (user_id, role) => update.mutate({ path: { user_id }, body: { role } }),
    onRemove: setRemoved,
  });
  if (!workspace) return null;
  return (
    <>
      <div className={`row ${styles['head']}`}>
        <p>{words.detail}</p>
        <Button scope="members:write" look="primary" onClick={() => setInviting(true)}>
          <UserPlus size={14} aria-hidden />
          {words.invite}
        </Button>
      </div>
      <Loaded query={members}>
        {({ data }) => (
          <DataTable
            caption={texts.workspaces.members}
            columns={columns}
            rows={data}
            rowKey={({ user_id }) => user_id}
            isCards
          />
        )}
      </Loaded>
      {may('members:write') && <Invitations onRenewed={setInvitation} />}
      {isInviting && (
        <InviteMember
          workspace={workspace}
          onClose={() => setInviting(false)}
          onInvited={(created) => {
            setInviting(false);
            setInvitation(created);
          }}
        />
      )}
      {invitation && <InvitationLink invitation={invitation} onClose={() => setInvitation(undefined)} />}
      {removed && <RemoveMember member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

interface Actions {
  workspace: Workspace | undefined;
  onRole: (userId: string, role: MemberRole) => void;
  onRemove: (member: Member) => void;
}

function useColumns({ workspace, onRole, onRemove }: Actions): Column<Member>[] {
  const { data: user } = useQuery(loginOptions);
  const may = useMay();
  /** Only owners can change owners. */
  const mayChange = ({ role }: Member) => may('members:write') && (role !== 'owner' || may('workspace:own'));
  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: texts.inputs.name,
      isWide: true,
      cell: ({ user_id, name, email }) => (
        <div>
          <span className="cut" dir="auto" title={name}>
            {name}
            {user_id === user?.id && ` (${words.you})`}
          </span>
          <span className="note cut" title={email}>
            {email}
          </span>
        </div>
      ),
    },
    {
      key: 'role',
      title: words.role,
      cell: (member) =>
        workspace && mayChange(member) ? (
          <Choice
            label={words.roleOf(member.name)}
            value={member.role}
            options={rolesUpTo(workspace.role)}
            onChoose={(role) => onRole(member.user_id, role)}
          />
        ) : (
          texts.workspaces.roles[member.role]
        ),
    },
    {
      key: 'way',
      title: words.signsIn,
      isSecondary: true,
      cell: ({ sso, second_factor }) =>
        [!sso && words.ways.password, sso && words.ways.sso, second_factor && words.ways.second_factor]
          .filter(Boolean)
          .join(', '),
    },
    { key: 'joined', title: words.joined, isSecondary: true, cell: ({ joined_at }) => <Time at={joined_at} /> },
  ];
  if (!may('members:write')) return columns;
  const remove: Column<Member> = {
    key: 'remove',
    title: texts.common.actions,
    align: 'end',
    cell: (member) =>
      member.user_id !== user?.id &&
      mayChange(member) && (
        <Button size="small" onClick={() => onRemove(member)}>
          {words.remove}
          <span className="visually-hidden"> {member.name}</span>
        </Button>
      ),
  };
  return [...columns, remove];
}
