/** The account page: profile, preferences of this browser, and the user's data. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { CheckField, Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { optionsOf } from '../../components/choice.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { Panel, Skeleton } from '../../components/page.tsx';
import { CONSOLE_LANGUAGES } from '../../../../contract/values/constants.ts';
import { loginOptions, setLanguage } from '../../server/login.ts';
import { savePreferences, usePreferences } from '../../format/preferences.ts';
import { LANGUAGE_NAMES, texts } from '../../texts/index.ts';
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
      <div className="stack">
        {/* The page loads anew in the chosen language. */}
        <SelectField
          name="language"
          label={texts.shell.language}
          options={[
            { value: '', label: texts.preferences.browserLanguage },
            ...optionsOf(CONSOLE_LANGUAGES, LANGUAGE_NAMES),
          ]}
          value={user.language ?? ''}
          onChange={({ target: { value } }) =>
            void setLanguage(CONSOLE_LANGUAGES.find((each) => each === value)).catch(showFailure)
          }
        />
        <Form error={update.error} onSubmit={({ name = '' }) => update.mutate({ body: { name } })}>
          <TextField name="name" label={texts.inputs.name} defaultValue={user.name} required maxLength={LIMITS.name} />
          <p className="note">{user.email}</p>
          <FormButtons submit={texts.labels.save} isDisabled={update.isPending} />
        </Form>
      </div>
    </Panel>
  );
}

/** The preferences of this browser. */
function Browser() {
  const { shortcuts, theme } = usePreferences();
  return (
    <Panel title={texts.account.browser}>
      <div className="stack">
        <SelectField
          name="theme"
          label={texts.preferences.theme}
          options={optionsOf(THEMES, texts.preferences.themes)}
          value={theme}
          onChange={({ target }) => savePreferences({ theme: target.value as typeof theme })}
        />
        <CheckField
          name="shortcuts"
          label={texts.shortcuts.title}
          checked={shortcuts}
          onChange={({ target }) => savePreferences({ shortcuts: target.checked })}
        />
      </div>
    </Panel>
  );
}

const THEMES = ['system', 'light', 'dark'] as const;
