/** English texts of "Connect a tool". A file of its own, because the console loads it with the page of tokens. */
export const connectTool = {
  title: 'Connect a tool',
  detail: 'Coding tools and agents read your sessions through the Model Context Protocol (MCP).',
  nameHint: 'The tool that you connect. Its token can only read, and expires in 90 days.',
  snippet: 'Configuration',
  snippetDetail: 'Add this to the MCP configuration of your tool. The token is shown only once.',
  warning: 'The tool shows the model what strangers said in conversations. Review what the model does with it.',
};
