/** Why single sign-on failed, in English. Loaded with the login page. */
export const signInErrors = {
  sso_unavailable: 'Single sign-on is not available. Try again in a few minutes.',
  sso_expired: 'The sign-in took longer than ten minutes, or began in another browser. Try again.',
  sso_refused: 'The sign-in was canceled, or a check failed. Try again.',
  email_unverified: 'Your provider has not verified your email address. Verify it there, then try again.',
  not_allowed: 'Your email domain or group has no access. Contact your administrator.',
  no_account: 'You have no account here. Ask your administrator for an invitation.',
  account_disabled: 'Your account is disabled. Contact your administrator.',
  other_person:
    'This sign-in has a different email address or belongs to another account. Sign in with the address of your account.',
};
