/** English texts of alerts. A file of its own, because the console loads it with the form of an assistant. */
export const alerts = {
  title: 'Alerts',
  none: 'Post to Slack or another URL when the values of fields meet conditions.',
  add: 'Add alert',
  when: 'Conditions',
  whenHint: 'One per line. All must hold. Examples: resolved:eq:false, score:lt:5, reason:null.',
  format: 'Format',
  formats: { json: 'JSON', slack: 'Slack' },
  broken: (conditions: string) => `Never sent. Does not fit the fields: ${conditions}.`,
  remove: (number: number) => `Remove alert ${number}`,
};
