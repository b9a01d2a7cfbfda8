import { number, plural } from './grammar.ts';

export const accuracy = {
  reviewedOf: (count: number, of: number) => `${count} of ${of} reviewed`,
  always: (value: string, share: string) => `Always “${value}” would be right in ${share}`,
  agree: (share: string, range: string, count: number) =>
    `Two people agree in ${share} (${range}) of ${number.format(count)}`,
};

export const experiment = {
  pairs: 'Different answers',
  after: 'Right after',
  before: 'Right before',
  broke: 'Broke',
  fixed: 'Fixed',
  range: 'Range',
  costEach: 'Cost per conversation',
  title: 'Are the new settings better?',
  running: 'When the experiment has ended, this page compares the results with your reviews.',
  verdicts: {
    better: 'Better',
    worse: 'Worse',
    same: 'About the same',
    unclear: 'No difference shown',
    not_compared: 'Not compared',
  },
  notReviewed: 'Not reviewed',
  rates: (after: string, before: string, count: number) =>
    `Right in ${after} instead of ${before} of ${plural(count, 'conversation')}`,
  more: (lower: string, upper: string, _upper: number) => `${lower} to ${upper} points more`,
  fewer: (lower: string, upper: string, _upper: number) => `${lower} to ${upper} points fewer`,
  unlikely: 'A difference of more than 5 points is unlikely.',
  moreReviews: (count: number) =>
    `To see a difference of 5 points, about ${plural(count, 'more review is', 'more reviews are')} needed.`,
  enough: 'There are enough reviews to show most differences of 5 points. A smaller difference is possible.',
  chosen:
    'These conversations were chosen by their results or by hand, so they are not a random sample. Test the settings on all reviewed conversations.',
  questionChanged: 'The question changed.',
  longTexts: 'The right answers are long texts, which everybody words differently.',
  noAnswers: 'No review answers this question.',
  compared: (count: number) => `Compared: ${plural(count, 'reviewed conversation')} of the random sample.`,
  part: 'Of the reviewed conversations, 5,000 are compared.',
  notCompared: (parts: string) => `Not compared: ${parts}.`,
  failed: (count: number) => `${number.format(count)} failed`,
  fallback: (count: number) => `${number.format(count)} answered by a fallback provider`,
  formerFallback: (count: number) => `${number.format(count)} answered by a fallback provider before`,
  leftOut: (count: number) => `${number.format(count)} asked another question before`,
  outside: (count: number) => `${number.format(count)} outside the sample`,
  tests: (count: number) => `Experiment ${count} on these conversations. Review new ones to confirm.`,
  none: 'None of these conversations is reviewed',
  noneDetail: 'Review a random sample. Then test the settings on the reviewed conversations.',
  table: 'Right answers before and after',
  points: 'Points',
  differs: 'What differs',
  differsFrom: (version: number) => `What differs from version ${version}, now`,
  tested: 'Tested',
  otherQuestion: (fields: string) => `The reviews answer the former questions, so these are not compared: ${fields}.`,
  kind: 'Kind',
  one: 'Experiment',
  noExperiments: 'No experiments yet',
  noExperimentsDetail:
    'Test another prompt, model or question on reviewed conversations. The result says what becomes better and what becomes worse.',
  copyText: 'Copy as text',
  print: 'Print',
  noSample: 'No random sample',
  used: 'In use',
  marks: { wrong: 'Became wrong', stillWrong: 'Still wrong', right: 'Became right' },
  use: 'Use these settings',
  useTitle: 'Use these settings for new conversations?',
  useVersion: (version: number) => `The assistant gets all settings of version ${version}.`,
  useOverrides: (names: string) => `Replaces settings of the assistant: ${names}.`,
  worse: (fields: string) => `Worse with these settings: ${fields}.`,
  changed: (version: number) =>
    `The assistant changed after this experiment started. Its version ${version} was not tested.`,
  changes: 'View the changes',
  again:
    'Somebody else has just changed the assistant, so nothing was saved. Confirm again if you still want these settings.',
  inUse: 'The assistant uses these settings.',
};
