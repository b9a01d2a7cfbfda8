export const login = {
  title: 'Log in',
  subtitle: 'See the results of your conversations and their deliveries.',
  submit: 'Log in',
  noAccount: 'No account yet?',
  register: 'Create one',
  ended: 'Your login has ended. Log in again to continue.',
  endedHere: 'Your login has ended. Log in again: what you entered on this page is kept.',
  refused: { title: 'Login failed', detail: 'Invalid email or password.' },
  noCookie: {
    title: 'Your browser refused the cookie of the login',
    detail:
      'The login itself succeeded. Allow cookies for this site, and open it by its usual address, then log in again.',
  },
  signInWith: (provider: string) => `Sign in with ${provider}`,
  deleted: 'Account deleted.',
  or: 'or',
  forgot: 'Forgot your password?',
  endSso: (provider: string) => `Log out of ${provider} too`,
  errors: {
    sso_unavailable: 'Single sign-on is not available. Try again in a few minutes.',
    sso_expired:
      'The sign-in took longer than ten minutes, began in another browser, or your browser refused its cookie. Try again.',
    sso_refused: 'The sign-in was canceled, or a check failed. Try again.',
    email_unverified: 'Your provider has not verified your email address. Verify it there, then try again.',
    not_allowed: 'Your email domain or group has no access. Contact your administrator.',
    no_account: 'You have no account here. Ask your administrator for an invitation.',
    account_disabled: 'Your account is disabled. Contact your administrator.',
    other_person:
      'This sign-in has a different email address or belongs to another account. Sign in with the address of your account.',
  },
};

export const register = {
  title: 'Create an account',
  subtitle: 'One account holds your assistants, sessions and API tokens.',
  submit: 'Create account',
  hasAccount: 'Already have an account?',
};

export const reset = {
  title: 'Reset your password',
  subtitle: 'You get a link by email. It is valid for one hour.',
  noMail: 'This installation sends no emails. Ask its operator for a link.',
  send: 'Send link',
  sent: (email: string) => `If ${email} has an account, a link is on its way. Check your spam folder too.`,
  back: 'Back to login',
  badLink: 'This link was used or has expired. Request a new one.',
  setTitle: 'Set a new password',
  setSubtitle: 'You will be logged out everywhere.',
  set: 'Set password',
  done: 'Password changed. Log in with it now.',
};

export const confirmEmail = {
  title: 'Verify your email address',
  confirm: 'Verify address',
  done: (email: string) => `${email} is the verified address of your account.`,
  badLink: 'This link was used, has expired, or belongs to another account. Request a new one.',
  toSecurity: 'Open security settings',
};

export const link = {
  title: 'Connect your account',
  subtitle: (email: string, provider: string) =>
    `${email} already has an account. Enter its password once to sign in with ${provider} from now on.`,
  codeSubtitle: (email: string) => `${email} has a second factor. Enter a code to log in.`,
  submit: 'Connect and log in',
};

export const proof = {
  title: 'Confirm your identity',
  detail: 'Confirm your identity to continue. The confirmation is valid for ten minutes.',
  ssoDetail: 'You will return to this page. Then repeat the action.',
  confirm: 'Confirm',
};

export const policy = {
  sso: 'This workspace requires single sign-on.',
  second_factor: 'This workspace requires a second factor.',
  setUp: 'Set up a second factor',
  enterCode: 'Enter a code',
};
