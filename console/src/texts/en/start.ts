export const start = {
  simulated: (names: readonly string[], areAll: boolean) =>
    areAll
      ? 'Demo mode: results are made up, without a request to a provider. To use a provider, add its API key on the server.'
      : `Simulated, with made-up results: ${names.join(', ')}.`,
  assistant: {
    questions: 'Edit questions',
    another: 'New assistant',
    template: 'Template',
    /** The fields of a template are lines: key, title, type, question and options. */
    templates: [
      {
        name: 'Support call review',
        prompt: 'Summarize the call in two sentences. Name what was promised to the client and by when.',
        fields: [
          'resolved | Problem solved | boolean | Was the problem solved during the call?',
          'reason | Reason for the call | string | Why did the client call?',
          'mood | Mood at the end | enum | How did the client feel at the end? | calm, worried, angry',
          'promise | Promise to the client | string | What did the operator promise, and by when?',
        ],
      },
      {
        name: 'Sales call',
        prompt: 'Summarize the call in two sentences: what the client needs, and what was agreed.',
        fields: [
          'interested | Interest in an offer | boolean | Is the client interested in an offer?',
          'product | Product or service | string | Which product or service is it about?',
          'objections | Objections | string_list | What speaks against a purchase, in the words of the client?',
          'next_step | Next step | string | What was agreed as the next step, and when?',
        ],
      },
      {
        name: 'Service quality check',
        prompt: 'Summarize the call in two sentences. Judge only the work of the operator.',
        fields: [
          'introduced | Introduction | boolean | Did the operator give a name and the name of the company?',
          'polite | Politeness | boolean | Was the operator polite during the whole call?',
          'tone | Tone of the operator | enum | How did the operator sound? | friendly, neutral, irritated',
          'mistakes | Mistakes | string_list | What did the operator do wrong?',
        ],
      },
    ],
  },
  assistantGone: 'The assistant of this page was deleted. Another one is selected.',
  noTemplate: 'Empty',
  conversation: {
    textHint:
      'One turn per line ("operator: Good morning"), JSON, subtitles, or an exported chat. Paste it, or drop its file here.',
    line: (line: number) => `Line ${line}`,
    message: (message: number) => `Message ${message}`,
    skipped: (count: number) =>
      `Skipped ${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'} without words of a person.`,
    /** By the problem of a `FormatError`. */
    problems: {
      not_an_object: 'not a JSON object.',
      not_utf8: 'not UTF-8. Save the file as UTF-8.',
      invalid_json: 'begins like JSON, but is no valid JSON.',
      invalid_cue: 'not the time of a cue.',
    },
    submit: 'Analyze',
    useSample: 'Use sample',
    sample: [
      'operator: Good afternoon, Northline Internet, this is Dilnoza. How can I help you?',
      'client: Hi, my connection has been dropping every evening for about a week now.',
      'operator: I am sorry to hear that. I will send you a new router tomorrow before noon.',
      'client: Thank you, that would help a lot.',
    ].join('\n'),
  },
  running: 'Running …',
  automate: {
    title: 'Automate',
    hint: 'Send conversations by the API, receive answers at your webhook',
    noWebhook: 'No webhook receives the answers yet.',
    tokenOnce: 'The code below contains the token. Copy it now: it is shown only once.',
    tokenName: 'First request',
  },
  data: {
    key: 'Key',
    value: 'Value',
    ofFiles: 'Data of several files',
    csv: 'From a CSV: drop it with the recordings, or before them. Its first column has the names of the files, its first line the keys.',
    pattern: 'From file names like',
    table: (files: number) => `The CSV has data of ${files} files.`,
  },
};
