/** The account page: profile, preferences of this browser, and the user's data. */
import { LIMITS } from '../../../../contract/values/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { CheckField, Form, FormButtons, TextField } from '../../components/field.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
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
        <LanguageChoice />
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
  const { shortcuts } = usePreferences();
  return (
    <Panel title={texts.account.browser}>
      <div className="stack">
        <ThemeChoice />
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

/** The language of the account. The page loads anew in the chosen language. */
function LanguageChoice() {
  const { data: user } = useQuery(loginOptions);
  return (
    <label className="row">
      {texts.shell.language}
      <Choice
        label={texts.shell.language}
        options={[
          { value: '', label: texts.preferences.browserLanguage },
          ...optionsOf(CONSOLE_LANGUAGES, LANGUAGE_NAMES),
        ]}
        value={user?.language ?? ''}
        onChoose={(value) => void setLanguage(CONSOLE_LANGUAGES.find((each) => each === value)).catch(showFailure)}
      />
    </label>
  );
}

function ThemeChoice() {
  const { theme } = usePreferences();
  return (
    <label className="row">
      {texts.preferences.theme}
      <Choice
        label={texts.preferences.theme}
        options={optionsOf(THEMES, texts.preferences.themes)}
        value={theme}
        onChoose={(chosen) => savePreferences({ theme: chosen })}
      />
    </label>
  );
}

const THEMES = ['system', 'light', 'dark'] as const;
