import { notifyManager, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { SignInPolicy } from '../../../contract/values/constants.ts';
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx';
import { loginOptions, methodsOptions, ssoFailure, ssoUrl } from '../server/login.ts';
import { toFailure } from '../server/problem.ts';
import { ask } from '../server/prompts.ts';
import { queryClient, refreshAll } from '../server/queries.ts';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

const words = texts.policy;
const errors = texts.login.errors;

const cache = queryClient.getQueryCache();
const subscribe = (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange));

/** Returns the sign-in policy because of which a request of this page was refused. */
function findPolicy(): SignInPolicy | undefined {
  const errors = cache.getAll().map((query) => query.isActive() && query.state.error);
  return errors.map((error) => (error ? toFailure(error).sign_in : undefined)).find(Boolean);
}

/** Shows that single sign-on failed, or that the workspace requires a stronger login. */
export function SignInBanner() {
  const policy = useSyncExternalStore(subscribe, findPolicy);
  const isFailedPage = useRouterState({ select: () => location.pathname === ssoFailure.page });
  const required = policy === 'sso' ? words.sso : policy && words.second_factor;
  const text = ssoFailure.reason && isFailedPage ? errors[ssoFailure.reason] : required;
  return (
    <div role="status">
      {text !== undefined && (
        <div className={styles['banner']}>
          {text}
          {policy === 'sso' && <SignIn />}
          {policy === 'second_factor' && <UseCode />}
        </div>
      )}
    </div>
  );
}

function SignIn() {
  const { data: methods } = useQuery(methodsOptions);
  return (
    methods?.sso && (
      <ButtonAnchor size="small" href={ssoUrl()}>
        {texts.login.signInWith(methods.sso.name)}
      </ButtonAnchor>
    )
  );
}

function UseCode() {
  const { data: user } = useQuery(loginOptions);
  if (!user?.second_factor) {
    return (
      <ButtonLink size="small" to="/settings/security">
        {words.setUp}
      </ButtonLink>
    );
  }
  const prove = async () => {
    if (await ask('proof')) await refreshAll();
  };
  return (
    <Button size="small" onClick={() => void prove()}>
      {words.enterCode}
    </Button>
  );
}
