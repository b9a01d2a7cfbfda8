/** English texts of "Connect a tool". In a separate file, because the console loads it with the API tokens page. */
export const connectTool = {
  title: 'Connect a tool',
  detail: 'Coding tools and agents read your sessions through the Model Context Protocol (MCP).',
  nameHint: 'The tool that you connect. Its token can only read, and expires in 90 days.',
  snippet: 'Configuration',
  snippetDetail: 'Add this to the MCP configuration of your tool. The token is shown only once.',
  warning: 'Conversations can contain instructions by strangers, which the model also reads. Review what it does.',
};
