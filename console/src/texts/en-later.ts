/** English texts that are loaded with their pages, the form of an assistant and the API tokens, to keep the first load small. */
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
