/** English texts of the page of an assistant, loaded with it. */
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
