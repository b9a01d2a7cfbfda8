/** How the user logs in: email address, password, second factor, single sign-on, and active logins. */
import { useQuery } from '@tanstack/react-query';
import { both, Loaded } from '../../../components/loaded.tsx';
import { loginOptions, methodsOptions } from '../../../server/login.ts';
import { EmailAddress } from './email-address.tsx';
import { Identities } from './identities.tsx';
import { Logins } from './logins.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';

export function SecurityPage() {
  const login = both(useQuery(loginOptions), useQuery(methodsOptions));
  return (
    <Loaded query={login} lines={8}>
      {([user, { password: hasPasswords, password_reset: resetsPasswords, sso }]) => (
        <>
          {/* Password reset requires email. Without passwords, the API reports an error if it sends no emails. */}
          <EmailAddress user={user} sendsEmails={resetsPasswords || !hasPasswords} />
          {hasPasswords && <Password isSet={user.has_password} />}
          <SecondFactor isOn={user.second_factor} />
          {sso && <Identities provider={sso.name} />}
          <Logins />
        </>
      )}
    </Loaded>
  );
}
