/** Why an input rejects a value, in English. Loaded with the first form. In other languages: `problem.fieldCodes`. */
export const inputErrors = {
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
};
