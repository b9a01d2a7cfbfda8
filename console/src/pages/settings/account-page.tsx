/** The account page: profile, preferences of this browser, and the user's data. */
import { useQuery } from '@tanstack/react-query';
import { CheckField, Form, FormButtons, TextField } from '../../components/field.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { loginOptions } from '../../server/login.ts';
import { savePreferences, usePreferences } from '../../format/preferences.ts';
import { texts } from '../../texts/index.ts';
import { useUpdateUser } from '../../components/updates.ts';
import { UserData } from './user-data.tsx';

export const AccountPage = () => (
  <>
    <Profile />
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
      <Form error={update.error} onSubmit={({ name = '' }) => update.mutate({ body: { name } })}>
        <TextField name="name" label={texts.inputs.name} defaultValue={user.name} required maxLength={200} />
        <p className="note">{user.email}</p>
        <FormButtons submit={texts.labels.save} isDisabled={update.isPending} />
      </Form>
    </Panel>
  );
}

/** The preferences of this browser, except those in the navigation. */
function Browser() {
  const { shortcuts } = usePreferences();
  return (
    <Panel title={texts.account.browser}>
      <CheckField
        name="shortcuts"
        label={texts.shortcuts.title}
        checked={shortcuts}
        onChange={({ target }) => savePreferences({ shortcuts: target.checked })}
      />
    </Panel>
  );
}
