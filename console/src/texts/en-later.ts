/** English texts that are loaded with their pages, to keep the first load small. */
export const alerts = {
  title: 'Alerts',
  none: 'Post to Slack or another URL when the values of fields meet conditions.',
  add: 'Add alert',
  when: 'Conditions',
  whenHint:
    'One condition per line. A result must meet all of them. Examples: resolved:eq:false, score:lt:5, reason:null.',
  format: 'Format',
  formats: { json: 'JSON', slack: 'Slack' },
  broken: (conditions: string) => `Not sent, because these conditions do not match the fields: ${conditions}.`,
  remove: (number: number) => `Remove alert ${number}`,
};

export const connectTool = {
  title: 'Connect a tool',
  detail: 'Coding tools and agents read your sessions through the Model Context Protocol (MCP).',
  nameHint: 'Name of the tool. Its token can only read, and expires in 90 days.',
  snippet: 'Configuration',
  snippetDetail: 'Add this to the MCP configuration of your tool. The token is shown only once.',
  warning:
    'Conversations can contain instructions by strangers, which the model also reads. Review what the model does.',
};

export const auditActions = {
  registered: 'Account created',
  login_succeeded: 'Logged in',
  login_failed: 'Login failed',
  login_ended: 'Logged out',
  password_changed: 'Password changed',
  password_change_failed: 'Password change failed',
  password_reset_asked: 'Password reset requested',
  password_reset_done: 'Password reset',
  email_change_asked: 'Change of email address requested',
  email_changed: 'Email address changed',
  email_confirmed: 'Email address verified',
  identity_proved: 'Identity confirmed',
  proof_failed: 'Identity not confirmed',
  second_factor_on: 'Second factor turned on',
  second_factor_off: 'Second factor turned off',
  second_factor_failed: 'Wrong code entered',
  recovery_codes_created: 'Recovery codes replaced',
  recovery_code_used: 'Recovery code used',
  identity_linked: 'Single sign-on connected',
  identity_unlinked: 'Single sign-on disconnected',
  budget_changed: 'Budget changed',
  token_created: 'API token created',
  token_revoked: 'API token revoked',
  tokens_revoked: 'All API tokens revoked',
  scope_refused: 'Scope missing',
  webhook_changed: 'Webhook changed',
  webhook_blocked: 'Webhook URL rejected',
  assistant_created: 'Assistant created',
  assistant_changed: 'Assistant changed',
  assistant_deleted: 'Assistant deleted',
  version_restored: 'Version restored',
  session_deleted: 'Session deleted',
  session_reviewed: 'Session reviewed',
  review_deleted: 'Review deleted',
  sessions_exported: 'Sessions exported',
  recording_fetched: 'Recording downloaded',
  originals_revealed: 'Original values shown',
  batch_created: 'Batch created',
  account_disabled: 'Account disabled',
  account_enabled: 'Account enabled',
  admin_changed: 'Administrator rights changed',
  account_exported: 'Account exported',
  account_deleted: 'Account deleted',
  account_deletion_failed: 'Account deletion failed',
  token_rolled: 'API token rolled',
  workspace_created: 'Workspace created',
  workspace_changed: 'Workspace changed',
  workspace_deleted: 'Workspace deleted',
  workspace_deletion_failed: 'Workspace deletion failed',
  member_invited: 'Member invited',
  invitation_revoked: 'Invitation revoked',
  member_joined: 'Member joined',
  member_role_changed: 'Role changed',
  member_removed: 'Member removed',
  member_left: 'Member left',
};

/** Names of the details of an event. */
export const auditDetails = {
  action: 'Action',
  by: 'Changed by',
  code: 'Reason',
  duplicated_from: 'Copy of',
  email: 'Email',
  fields: 'Settings',
  format: 'Format',
  group_roles: 'Group roles',
  invitation_id: 'Invitation',
  message: 'Reason',
  method: 'Method',
  monthly_budget_usd: 'Budget (USD)',
  name: 'Name',
  new_key_id: 'New token',
  operation: 'Operation',
  outcome: 'Outcome',
  revoked: 'Revoked tokens',
  role: 'Role',
  scope: 'Scope',
  sign_in: 'Sign-in policy',
  tokens: 'Tokens',
  total: 'Number',
  version: 'Version',
};

export const failureAdvice = {
  timeout: 'Your endpoint did not respond within 10 s. Respond with 2xx right away, then process.',
  dns: 'The host name of the webhook URL does not resolve. Correct the URL on the assistant; the next attempt uses it.',
  connect: 'The endpoint accepts no connections. Check that it is running and its port is open.',
  connection_closed:
    'The endpoint accepted the connection and closed it before the response was complete. Check its log, and proxies in front of it.',
  tls: 'The TLS connection failed. Check that the certificate is valid for this host name.',
  invalid_response:
    'The endpoint sent a response that is not valid HTTP/1.1. Check its headers, and that http or https in the URL is right.',
  redirect: 'Redirects are not followed. Use the final URL as the webhook URL.',
  blocked_address: 'The URL points to a private or reserved address, which this server does not call.',
  http_status: 'Your endpoint returned an error. See Response.',
  worker_lost: 'The worker crashed before it recorded the attempt. The delivery is retried.',
  secret_unreadable: 'The webhook secret can’t be decrypted. Set a new secret on the assistant.',
};

export const invitation = {
  title: (workspace: string) => `Join ${workspace}`,
  detail: (inviter: string, role: string) => `${inviter} invited you. Your role will be ${role}.`,
  checking: 'Invitation',
  accept: 'Join workspace',
  loggedInAs: (email: string) => `You are logged in as ${email}.`,
  other: (invited: string, own: string) =>
    `This invitation is for ${invited}, and you are logged in as ${own}. Log out, and continue with the invited address.`,
  createAccount: 'Create account and join',
  gone: 'This invitation can’t be used',
  goneDetail: 'It expired, or was accepted or revoked. Ask for a new one.',
};

export const shortcutKeys = [
  { keys: ['⌘ K', 'Ctrl K'], what: 'Search, or open a pasted ID' },
  { keys: ['?'], what: 'Show these shortcuts' },
  { keys: ['/'], what: 'Search on this page' },
  { keys: ['c'], what: 'Copy this view as cURL' },
  { keys: ['g', 'o'], what: 'Overview' },
  { keys: ['g', 's'], what: 'Sessions' },
  { keys: ['g', 'd'], what: 'Deliveries' },
  { keys: ['g', 'a'], what: 'Assistants' },
  { keys: ['g', 'u'], what: 'Usage' },
  { keys: ['g', 't'], what: 'API tokens' },
  { keys: ['w'], what: 'Switch workspace' },
  { keys: ['j', 'k'], what: 'Next and previous row or session' },
  { keys: ['Enter'], what: 'Open the row' },
  { keys: ['Esc'], what: 'Go back' },
  { keys: ['Space'], what: 'Play or pause the recording' },
  { keys: ['←', '→'], what: 'Back and forward 5 seconds' },
  { keys: ['[', ']'], what: 'Slower and faster' },
  { keys: ['n', 'p'], what: 'Next and previous failed step' },
  { keys: ['r'], what: 'Retry a failed session, or redeliver' },
];

export const security = {
  email: 'Email address',
  verified: 'verified',
  unverified: 'not verified',
  verify: 'Verify address',
  changeEmail: 'Change address',
  newEmail: 'New email address',
  newEmailHint: 'The address changes when you open the link in the email.',
  sent: (email: string) => `Link sent to ${email}. It is valid for one hour.`,
  noMail: 'This installation sends no emails. Its operator verifies and changes addresses.',
  factor: 'Second factor',
  factorOff: 'Protect your account with codes from an authenticator app.',
  factorOn: 'Logins with your password need a code from your authenticator app.',
  setUp: 'Set up',
  scan: 'Scan the QR code with your authenticator app, or type the secret. Then enter the code that the app shows.',
  qr: 'QR code of the secret',
  secret: 'Secret',
  codeHint: 'Six digits.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnOffTitle: 'Turn off the second factor?',
  turnOffDetail: 'Your password alone will be enough to log in. Your recovery codes become invalid.',
  codes: 'Recovery codes',
  codesLeft: (count: number) => `You have ${count} unused recovery code${count === 1 ? '' : 's'}.`,
  codesDetail:
    'Each recovery code works once, instead of a code from your app. Store the codes where you can reach them without your phone. They are shown only once.',
  replaceCodes: 'Replace recovery codes',
  replaceTitle: 'Replace your recovery codes?',
  replaceDetail: 'Your current codes become invalid.',
  download: 'Download',
  saved: 'I have saved the codes',
  identities: 'Single sign-on',
  noIdentities: 'Not connected.',
  connect: (provider: string) => `Connect ${provider}`,
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect this sign-in?',
  disconnectDetail: 'You can no longer log in with it.',
};

export const members = {
  alone: 'Only you',
  aloneDetail: 'Members see all sessions of the workspace, no matter who submitted them.',
  role: 'Role',
  roleOf: (name: string) => `Role of ${name}`,
  signsIn: 'Signs in with',
  ways: { sso: 'single sign-on', second_factor: 'second factor', password: 'password' },
  joined: 'Joined',
  you: 'you',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeDetail: 'The person loses access immediately. Sessions and assistants stay.',
  tokens: (count: number) =>
    count === 1 ? 'The member created an API token:' : `The member created ${count} API tokens:`,
  lastUsed: 'last used:',
  tokenChoices: { keep: 'They keep working', revoke: 'Revoke them' },
  invite: 'Invite member',
  linkReady: 'Invitation link',
  linkDetail: (email: string) =>
    `Send this link to ${email}. It is shown only once, works once, and expires in 7 days.`,
  linkMailed: (email: string) => `This link was also sent to ${email}. It works once, and expires in 7 days.`,
  copyLink: 'Copy link',
  pending: 'Open invitations',
  newLink: 'New link',
};

export const trial = {
  title: 'Test on a past session',
  detail:
    'Analyzes a past conversation with the settings of this form, saved or not. The session is kept, and no webhook is sent.',
  none: 'No completed sessions yet',
  noneWhy: 'Submit a conversation first.',
  run: 'Run test',
  draft: 'This draft',
  open: 'Open full comparison',
};

export const link = {
  title: 'Connect your account',
  subtitle: (email: string, provider: string) =>
    `${email} already has an account. Enter its password once to sign in with ${provider} from now on.`,
  codeSubtitle: (email: string) => `${email} has a second factor. Enter a code to log in.`,
  submit: 'Connect and log in',
};

export const confirmEmail = {
  title: 'Verify your email address',
  confirm: 'Verify address',
  done: (email: string) => `${email} is the verified address of your account.`,
  badLink: 'This link was used, has expired, or belongs to another account. Request a new one.',
  toSecurity: 'Open security settings',
};

export const policy = {
  sso: 'This workspace requires single sign-on.',
  second_factor: 'This workspace requires a second factor.',
  setUp: 'Set up a second factor',
  enterCode: 'Enter a code',
};

export const proof = {
  title: 'Confirm your identity',
  detail: 'Confirm your identity to continue. The confirmation is valid for ten minutes.',
  ssoDetail: 'You will return to this page. Then repeat the action.',
  confirm: 'Confirm',
};
