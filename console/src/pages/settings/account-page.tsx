/** The profile, the password, the active logins, the settings of this browser, and the user's data. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { changePasswordMutation, endLoginMutation, listLoginsOptions } from 'conversation-analysis-client/react-query';
import type { ActiveLogin } from 'conversation-analysis-client';
import { CONSOLE_LANGUAGES } from '../../../../contract/constants.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { CheckField, Form, FormButtons, PasswordField, SelectField, TextField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { say, sayFailure } from '../../components/toasts.tsx';
import { Time } from '../../components/values.tsx';
import { loginOptions, useUpdateUser } from '../../server/login.ts';
import { refresh } from '../../server/queries.ts';
import { prefer, usePreferences } from '../../format/preferences.ts';
import { LANGUAGE_NAMES, texts } from '../../texts/index.ts';
import { UserData } from './user-data.tsx';

export const AccountPage = () => (
  <>
    <Profile />
    <Password />
    <Logins />
    <Browser />
    <UserData />
  </>
);

function Profile() {
  const { data: user } = useQuery(loginOptions);
  const update = useUpdateUser();
  if (!user) return <Skeleton />;
  return (
    <Panel title={texts.account.profile}>
      <Form
        error={update.error}
        onSubmit={({ name = '', language }) => update.mutate({ body: { name, language: toLanguage(language) } })}
      >
        <TextField name="name" label={texts.register.name} defaultValue={user.name} required maxLength={200} />
        <SelectField
          name="language"
          label={texts.account.language}
          defaultValue={user.language ?? ''}
          options={[
            { value: '', label: texts.account.browserLanguage },
            ...CONSOLE_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
          ]}
        />
        <p className="note">{user.email}</p>
        <FormButtons submit={texts.account.save} isDisabled={update.isPending} />
      </Form>
    </Panel>
  );
}

/** Returns the language, or null for the browser's. */
const toLanguage = (value: string | undefined) => CONSOLE_LANGUAGES.find((each) => each === value) ?? null;

function Password() {
  const change = useMutation({
    ...changePasswordMutation(),
    onSuccess: () => {
      void refresh('listLogins', 'listKeys');
      say(texts.account.passwordChanged);
    },
  });
  return (
    <Panel title={texts.account.password}>
      <Form
        key={change.isSuccess ? change.submittedAt : 'first'}
        error={change.error}
        onSubmit={({ current_password = '', new_password = '', revoke_tokens }) =>
          change.mutate({ body: { current_password, new_password, revoke_tokens: revoke_tokens !== undefined } })
        }
      >
        <PasswordField name="current_password" label={texts.account.currentPassword} />
        <PasswordField name="new_password" label={texts.account.newPassword} isNew />
        <CheckField name="revoke_tokens" label={texts.account.revokeTokens} hint={texts.account.revokeTokensHint} />
        <p className="note">{texts.account.passwordNote}</p>
        <FormButtons submit={texts.account.changePassword} isDisabled={change.isPending} />
      </Form>
    </Panel>
  );
}

function Logins() {
  const logins = useQuery(listLoginsOptions());
  const end = useMutation({ ...endLoginMutation(), onError: sayFailure, onSuccess: () => refresh('listLogins') });
  return (
    <Panel title={texts.account.logins} isFlush>
      <Loaded query={logins}>
        {({ data }) => (
          <DataTable
            caption={texts.account.logins}
            columns={loginColumns((login_id) => end.mutate({ path: { login_id } }))}
            rows={data}
            rowKey={({ login_id }) => login_id}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** Products and systems, the first match counts: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = {
  ...{ Windows: 'Windows', Android: 'Android', iPhone: 'iOS', iPad: 'iPadOS', 'Mac OS': 'macOS', CrOS: 'ChromeOS' },
  Linux: 'Linux',
};

/** Returns "Firefox on Windows"; undefined for a program that is not a known browser. */
function programOf(userAgent: string | null): string | undefined {
  const find = (names: Record<string, string>) =>
    Object.entries(names).find(([token]) => userAgent?.includes(token))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system && texts.account.program(browser, system);
}

const loginColumns = (end: (loginId: string) => void): Column<ActiveLogin>[] => [
  {
    key: 'where',
    title: texts.account.where,
    isWide: true,
    cell: ({ user_agent, address, kind, current }) => (
      <span className="cut" title={user_agent ?? undefined}>
        {programOf(user_agent) ?? texts.account.kinds[kind]} · {address}
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

/** The preferences of this browser, except theme and time zone, which are in the navigation. */
function Browser() {
  const { shortcuts } = usePreferences();
  return (
    <Panel title={texts.account.browser}>
      <CheckField
        name="shortcuts"
        label={texts.account.shortcuts}
        checked={shortcuts}
        onChange={({ target }) => prefer({ shortcuts: target.checked })}
      />
    </Panel>
  );
}
