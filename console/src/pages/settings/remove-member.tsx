/** Removes a member, after a choice about the API tokens that the member created. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  leaveWorkspace,
  removeMember,
  type ListedApiKey,
  type Member,
  type Workspace,
} from 'conversation-analysis-client';
import { listKeysOptions } from 'conversation-analysis-client/react-query';
import { optionsOf } from '../../components/choice.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, FormButtons, RadioField } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Time } from '../../components/values.tsx';
import { serverNow } from '../../format/clock.ts';
import { loginOptions } from '../../server/login.ts';
import { useMay } from '../../server/membership.ts';
import { toFailure } from '../../server/problem.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

const words = texts.members;
const CHOICES = ['keep', 'revoke'] as const;
type Choice = (typeof CHOICES)[number];

interface Removal {
  member: Member;
  onClose: () => void;
}

export const RemoveMember = ({ member: { user_id, name }, onClose }: Removal) => (
  <EndMembership
    userId={user_id}
    title={words.removeTitle(name)}
    detail={words.removeDetail}
    action={words.remove}
    run={(tokens) => removeMember({ path: { user_id }, query: { tokens }, throwOnError: true })}
    onDone={() => {
      void refresh('listMembers', 'listWorkspaces', 'listInvitations', 'listKeys');
      onClose();
    }}
    onClose={onClose}
  />
);

export function LeaveWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { data: user } = useQuery(loginOptions);
  return (
    <EndMembership
      userId={user?.id}
      title={texts.workspaces.leaveTitle(workspace.name)}
      detail={texts.workspaces.leaveDetail}
      action={texts.workspaces.leave}
      run={() => leaveWorkspace({ throwOnError: true })}
      isLeaving
      onDone={() => location.assign('/console/')}
      onClose={onClose}
    />
  );
}

interface EndMembershipProps {
  userId: string | undefined;
  title: string;
  detail: string;
  action: string;
  /** The person's own membership ends, which revokes the tokens. */
  isLeaving?: boolean;
  run: (tokens: Choice | undefined) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

function EndMembership({ userId, title, detail, action, isLeaving, run, onDone, onClose }: EndMembershipProps) {
  const may = useMay();
  const enabled = may('keys:read');
  const keys = useQuery({ ...listKeysOptions(), enabled, staleTime: 0 });
  const [now] = useState(serverNow);
  const end = useMutation({ mutationFn: run, onSuccess: onDone });
  const isLive = ({ expires_at }: ListedApiKey) => expires_at === null || Date.parse(expires_at) > now;
  const live = keys.data?.data.filter((key) => key.created_by === userId && isLive(key)) ?? [];
  // For roles that can't list tokens, the API's error reports that the member has some.
  const hasTokens = live.length > 0 || toFailure(end.error).errors?.some(({ path }) => path === 'tokens');
  return (
    <Dialog onClose={onClose} title={title}>
      {keys.isLoading ? (
        <Skeleton />
      ) : (
        <Form error={end.error} onSubmit={({ tokens }) => end.mutate(CHOICES.find((choice) => choice === tokens))}>
          <p>{detail}</p>
          {live.length > 0 && (
            <LiveTokens title={(isLeaving ? words.ownTokens : words.tokens)(live.length)} tokens={live} />
          )}
          {hasTokens && !isLeaving && <TokenChoice canKeep={may('workspace:own')} />}
          <FormButtons submit={action} look="danger" isDisabled={end.isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}

const LiveTokens = ({ title, tokens }: { title: string; tokens: readonly ListedApiKey[] }) => (
  <>
    <p>{title}</p>
    <ul className={styles['list']}>
      {tokens.map(({ key_id, name, last_used_at }) => (
        <li key={key_id}>
          <bdi>{name}</bdi>, {words.lastUsed}{' '}
          {last_used_at === null ? texts.tokens.expiries[''].toLowerCase() : <Time at={last_used_at} />}
        </li>
      ))}
    </ul>
  </>
);

/** Keep or revoke the tokens. There is no default, because either choice can break something. Only owners can keep them. */
const TokenChoice = ({ canKeep }: { canKeep: boolean }) => (
  <RadioField
    name="tokens"
    label={texts.settings.tokens}
    options={optionsOf(canKeep ? CHOICES : (['revoke'] as const), words.tokenChoices)}
  />
);
