import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { CONSOLE_LANGUAGES } from '../../../contract/values/constants.ts';
import { Button } from '../components/button.tsx';
import { Choice, optionsOf } from '../components/choice.tsx';
import { showFailure } from '../components/toasts.tsx';
import { savePreferences, usePreferences } from '../format/preferences.ts';
import { loginOptions, logOut, setLanguage } from '../server/login.ts';
import { LANGUAGE_NAMES, texts } from '../texts/index.ts';
import styles from './shell.module.css';

/** The theme, the language and the time zone, and the logged-in user. */
export const SideFoot = () => (
  <div className={styles['foot']}>
    <div className={styles['choices']}>
      <PreferenceChoice name="theme" label={texts.shell.theme} values={texts.shell.themes} />
      <LanguageChoice />
      <PreferenceChoice name="timeZone" label={texts.shell.timeZone} values={texts.shell.timeZones} />
    </div>
    <Account />
  </div>
);

/** The language of the account. The page loads anew in the chosen language. */
function LanguageChoice() {
  const { data: user } = useQuery(loginOptions);
  return (
    <label className="row apart">
      {texts.shell.language}
      <Choice
        label={texts.shell.language}
        options={[{ value: '', label: texts.shell.browserLanguage }, ...optionsOf(CONSOLE_LANGUAGES, LANGUAGE_NAMES)]}
        value={user?.language ?? ''}
        onChoose={(value) => void setLanguage(CONSOLE_LANGUAGES.find((each) => each === value)).catch(showFailure)}
      />
    </label>
  );
}

interface PreferenceChoiceProps {
  name: 'theme' | 'timeZone';
  label: string;
  /** The labels of the values. */
  values: Record<string, string>;
}

function PreferenceChoice({ name, label, values }: PreferenceChoiceProps) {
  const preferences = usePreferences();
  return (
    <label className="row apart">
      {label}
      <Choice
        label={label}
        options={Object.entries(values).map(([value, word]) => ({ value, label: word }))}
        value={preferences[name]}
        onChoose={(value) => savePreferences({ [name]: value })}
      />
    </label>
  );
}

function Account() {
  const { data: user } = useQuery(loginOptions);
  return (
    <div className={`row apart ${styles['account']}`}>
      <span className={styles['who']}>
        <strong className="cut" title={user?.name}>
          {user?.name}
        </strong>
        <span className="cut" title={user?.email}>
          {user?.email}
        </span>
      </span>
      <Button look="quiet" isIcon label={texts.shell.logOut} onClick={() => void logOut().catch(showFailure)}>
        <LogOut size={16} aria-hidden />
      </Button>
    </div>
  );
}
