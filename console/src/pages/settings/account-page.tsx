/** The account page: profile, preferences of this browser, and the user's data. */
import { useQuery } from '@tanstack/react-query';
import { CONSOLE_LANGUAGES } from '../../../../contract/values/constants.ts';
import { optionsOf } from '../../components/choice.tsx';
import { CheckField, Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { loginOptions } from '../../server/login.ts';
import { savePreferences, usePreferences } from '../../format/preferences.ts';
import { LANGUAGE_NAMES, texts } from '../../texts/index.ts';
import { useUpdateUser } from './updates.ts';
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
            ...optionsOf(CONSOLE_LANGUAGES, LANGUAGE_NAMES),
          ]}
        />
        <p className="note">{user.email}</p>
        <FormButtons submit={texts.common.save} isDisabled={update.isPending} />
      </Form>
    </Panel>
  );
}

/** Returns the language, or null for the browser's. */
const toLanguage = (value: string | undefined) => CONSOLE_LANGUAGES.find((each) => each === value) ?? null;

/** The preferences of this browser, except theme and time zone, which are in the navigation. */
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
