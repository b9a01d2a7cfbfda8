export const walk = {
  progress: (count: number, goal: number, points: number, known: number | undefined) =>
    `${count} of ${goal} reviewed. ` +
    (known === undefined
      ? `${goal} reviews show shares to within ${points} points.`
      : `Shares are known to within ${known} points; ${goal} reviews show them to within ${points}.`),
  progressWhy: 'With this many reviews, a share of 85% is known to within these points.',
  reviewedCount: (count: number) => `${count.toLocaleString('en')} reviewed`,
  reached: (next: number | undefined) =>
    `Goal reached. Read the accuracy, test other settings, or continue${next === undefined ? '' : ` to ${next}`}.`,
  uncounted: 'These reviews do not count in the accuracy: the conversations are not a random sample.',
  second:
    'Second opinions: answer without the answers of the first person. They show how often people agree, and change no review. One in ten reviews is enough.',
  useSample: 'Review a random sample',
  allAssistants: 'All assistants',
  toAccuracy: 'Show accuracy',
  none: 'No conversations left to review',
  noneWhy: 'All conversations of this list are reviewed, or none matches the filters.',
  skippedBefore: 'You skipped this conversation before.',
  taken: 'The last conversation was reviewed before you, and only that review counts. Reviewed by',
  gone: 'The last conversation was deleted.',
  openLast: 'Open session',
  questions: 'Questions',
  next: 'Next',
  save: 'Save review',
  skip: 'Skip',
  back: 'Back',
  enterValue: 'Enter value',
  yourAnswer: 'Your answer:',
  same: 'The model gives the same answer:',
  differs: 'The model gives another answer:',
  modelAnswer: 'The model’s answer:',
  hidden: 'Shown when the questions are answered.',
  open: (count: number) =>
    count === 1
      ? 'One question has no answer. Answer it, or continue to save without it.'
      : `${count} questions have no answer. Answer them, or continue to save without them.`,
  nothing: 'Answer at least one question, or skip the conversation.',
};
