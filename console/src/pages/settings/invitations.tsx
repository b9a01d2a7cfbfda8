import { useMutation, useQuery } from '@tanstack/react-query';
import {
  createInvitationMutation,
  listInvitationsOptions,
  revokeInvitationMutation,
} from 'conversation-analysis-client/react-query';
import type { CreatedInvitation, Invitation } from 'conversation-analysis-client';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { reporting } from '../../components/updates.ts';
import { Time } from '../../components/values.tsx';
import { useMay } from '../../server/membership.ts';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

const words = texts.members;

/** The largest page of the API, which is more invitations than a workspace can have by default. */
const LIMIT = 200;

/** Open invitations. @param onRenewed receives an invitation with a new link. */
export function Invitations({ onRenewed }: { onRenewed: (invitation: CreatedInvitation) => void }) {
  const invitations = useQuery(listInvitationsOptions({ query: { limit: LIMIT } }));
  const after = reporting('listInvitations');
  const renew = useMutation({ ...createInvitationMutation(), ...after, onSuccess: onRenewed });
  const revoke = useMutation({ ...revokeInvitationMutation(), ...after });
  const may = useMay();
  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      title: texts.inputs.email,
      isWide: true,
      cell: ({ email }) => (
        <span className="cut" title={email}>
          {email}
        </span>
      ),
    },
    { key: 'role', title: words.role, cell: ({ role }) => texts.workspaces.roles[role] },
    {
      key: 'expires',
      title: texts.tokens.expires,
      isSecondary: true,
      cell: ({ expires_at }) => <Time at={expires_at} />,
    },
    {
      key: 'actions',
      title: texts.common.actions,
      align: 'end',
      cell: ({ invitation_id, email, role }) => (
        <span className={styles['actions']}>
          {(role !== 'owner' || may('workspace:own')) && (
            <Button size="small" onClick={() => renew.mutate({ body: { email, role } })}>
              {words.newLink}
              <span className="visually-hidden"> {email}</span>
            </Button>
          )}
          <Button size="small" onClick={() => revoke.mutate({ path: { invitation_id } })}>
            {texts.tokens.revoke}
            <span className="visually-hidden"> {email}</span>
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Loaded query={invitations} lines={1}>
      {({ data }) =>
        data.length > 0 && (
          <Panel title={words.pending} isFlush>
            <DataTable
              isCards
              caption={words.pending}
              columns={columns}
              rows={data}
              rowKey={({ invitation_id }) => invitation_id}
            />
          </Panel>
        )
      }
    </Loaded>
  );
}
