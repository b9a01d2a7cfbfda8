import type { ReactNode } from 'react';
import { CONSOLE_LANGUAGES } from '../../../../contract/values/constants.ts';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { savePreferences } from '../../format/preferences.ts';
import { reloadPage } from '../../server/load-file.ts';
import { LANGUAGE_NAMES, needsOtherLanguage, texts } from '../../texts/index.ts';
import styles from './auth-page.module.css';

interface AuthPageProps {
  title: string;
  subtitle?: string | undefined;
  note?: string | undefined;
  /** Why the user was sent to this page. */
  alert?: string | undefined;
  children?: ReactNode;
  /** Links to other pages. */
  other?: ReactNode;
}

/** A page outside the shell: a card about the account. */
export const AuthPage = ({ title, subtitle, note, alert, children, other }: AuthPageProps) => (
  <main className={styles['layout']}>
    <div className={styles['card']}>
      <div>
        <img src="/console/favicon.svg" alt="" />
        <PageHeader title={title} below={subtitle} />
      </div>
      {note && (
        <p className={styles['note']} role="status">
          {note}
        </p>
      )}
      {alert && (
        <p className={styles['alert']} role="alert">
          {alert}
        </p>
      )}
      {children}
      {other && <p className="note">{other}</p>}
    </div>
    <Choice
      label={texts.shell.language}
      value={texts.language}
      options={optionsOf(CONSOLE_LANGUAGES, LANGUAGE_NAMES)}
      onChoose={(chosen) => {
        savePreferences({ language: chosen, newLanguage: chosen });
        if (needsOtherLanguage()) void reloadPage();
      }}
    />
  </main>
);
