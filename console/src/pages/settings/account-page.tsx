/** The profile, the password, where one is logged in, what this browser remembers, and the way out. */
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  changePasswordMutation,
  endLoginMutation,
  listLoginsOptions,
  updateCurrentUserMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { ActiveLogin } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Form, FormButtons, TextField } from '../../components/field.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { say, sayFailure } from '../../components/toasts.tsx';
import { Time } from '../../components/values.tsx';
import { loginOptions } from '../../server/login.ts';
import { queryClient, refresh } from '../../server/queries.ts';
import { prefer, usePreferences } from '../../shell/preferences.ts';
import { texts } from '../../texts/index.ts';
import { Leave } from './leave.tsx';
import styles from './settings.module.css';

export function AccountPage() {
  return (
    <>
      <Profile />
      <Password />
      <Logins />
      <Browser />
      <Leave />
    </>
  );
}

function Profile() {
  const { data: user } = useQuery(loginOptions);
  const update = useMutation({
    ...updateCurrentUserMutation(),
    onSuccess: (changed) => {
      queryClient.setQueryData(loginOptions.queryKey, changed);
      say(texts.account.saved);
    },
  });
  if (!user) return <Skeleton />;
  return (
    <Panel title={texts.account.profile}>
      <Form error={update.error} onSubmit={({ name = '' }) => update.mutate({ body: { name } })}>
        <TextField name="name" label={texts.register.name} defaultValue={user.name} required maxLength={200} />
        <p className={styles['note']}>{user.email}</p>
        <FormButtons>
          <Button type="submit" look="primary" disabled={update.isPending}>
            {texts.account.save}
          </Button>
        </FormButtons>
      </Form>
    </Panel>
  );
}

function Password() {
  const change = useMutation({
    ...changePasswordMutation(),
    onSuccess: () => {
      void refresh('listLogins');
      say(texts.account.passwordChanged);
    },
  });
  return (
    <Panel title={texts.account.password}>
      <Form
        key={change.isSuccess ? change.submittedAt : 'first'}
        error={change.error}
        onSubmit={({ current_password = '', new_password = '' }) =>
          change.mutate({ body: { current_password, new_password } })
        }
      >
        <TextField
          name="current_password"
          label={texts.account.currentPassword}
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          name="new_password"
          label={texts.account.newPassword}
          hint={texts.register.passwordHint}
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
        />
        <p className={styles['note']}>{texts.account.passwordNote}</p>
        <FormButtons>
          <Button type="submit" look="primary" disabled={change.isPending}>
            {texts.account.changePassword}
          </Button>
        </FormButtons>
      </Form>
    </Panel>
  );
}

function Logins() {
  const { data, error } = useQuery(listLoginsOptions());
  const end = useMutation({ ...endLoginMutation(), onError: sayFailure, onSuccess: () => refresh('listLogins') });
  return (
    <Panel title={texts.account.logins} isFlush>
      {error && <Problem error={error} />}
      {data && (
        <DataTable
          caption={texts.account.logins}
          columns={loginColumns((login_id) => end.mutate({ path: { login_id } }))}
          rows={data.data}
          rowKey={({ login_id }) => login_id}
        />
      )}
    </Panel>
  );
}

const loginColumns = (end: (loginId: string) => void): Column<ActiveLogin>[] => [
  {
    key: 'where',
    title: texts.account.where,
    isWide: true,
    cell: ({ user_agent, address, kind, current }) => (
      <span className={styles['cut']} title={user_agent ?? undefined}>
        {texts.account.kinds[kind]} · {address}
        {current && ` · ${texts.account.thisOne}`}
      </span>
    ),
  },
  { key: 'since', title: texts.account.since, isSecondary: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { key: 'used', title: texts.tokens.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} isRelative /> },
  {
    key: 'end',
    title: texts.tokens.actions,
    align: 'end',
    cell: ({ login_id, current }) =>
      !current && (
        <Button size="small" onClick={() => end(login_id)}>
          {texts.account.end}
        </Button>
      ),
  },
];

/** Theme and time zone are chosen in the navigation; what else this browser remembers is here. */
function Browser() {
  const { shortcuts } = usePreferences();
  return (
    <Panel title={texts.account.browser}>
      <label className={styles['check']}>
        <input type="checkbox" checked={shortcuts} onChange={({ target }) => prefer({ shortcuts: target.checked })} />
        {texts.account.shortcuts}
      </label>
    </Panel>
  );
}
