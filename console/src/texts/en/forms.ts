export const inputs = {
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  email: 'Email',
  password: 'Password',
  passwordHint: '8 to 256 characters.',
  name: 'Name',
  currentPassword: 'Current password',
  newPassword: 'New password',
  /** Why an input rejects a value. */
  errors: {
    required: 'Enter a value.',
    email: 'Enter an email address.',
    url: 'Enter a URL that starts with http:// or https://.',
    number: 'Enter a number.',
    integer: 'Enter an integer.',
    multiple: 'Enter a multiple of {step}.',
    minimum: 'Enter {min} or more.',
    maximum: 'Enter {max} or less.',
    min_characters: 'Enter at least {min} characters.',
    format: 'The format is not valid.',
  },
};
