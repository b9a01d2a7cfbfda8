import { notifyManager, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { Button, ButtonAnchor, ButtonLink } from '../components/button.tsx';
import { loginOptions, methodsOptions, ssoUrl } from '../server/login.ts';
import { toFailure } from '../server/problem.ts';
import { askForProof } from '../server/proof.ts';
import { queryClient, refreshAll } from '../server/queries.ts';
import { texts } from '../texts/index.ts';
import styles from './shell.module.css';

const words = texts.policy;

const cache = queryClient.getQueryCache();
const subscribe = (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange));

/** Returns the sign-in policy that refused data of this page. */
function findPolicy() {
  const errors = cache.getAll().map((query) => query.isActive() && query.state.error);
  return errors.map((error) => (error ? toFailure(error).sign_in : undefined)).find(Boolean);
}

/** Shows what to do if the workspace requires a stronger login. */
export function PolicyBanner() {
  const policy = useSyncExternalStore(subscribe, findPolicy);
  return (
    <div role="status">
      {policy !== undefined && (
        <div className={styles['banner']}>
          {policy === 'sso' ? words.sso : words.secondFactor}
          {policy === 'sso' ? <SignIn /> : <UseCode />}
        </div>
      )}
    </div>
  );
}

function SignIn() {
  const { data: methods } = useQuery(methodsOptions);
  const next = useRouterState({ select: (state) => state.location.href });
  return (
    methods?.sso && (
      <ButtonAnchor size="small" href={ssoUrl(next)}>
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
    if (await askForProof()) await refreshAll();
  };
  return (
    <Button size="small" onClick={() => void prove()}>
      {words.enterCode}
    </Button>
  );
}
