import { plural } from './grammar.ts';

export const walk = {
  progress: (count: number, known: number | undefined, next: readonly [number, number] | undefined) =>
    (known === undefined
      ? `${count} reviewed.`
      : `${count} reviewed: how often the model is right is known to within about ${known} points.`) +
    (next === undefined ? '' : ` With ${next[0]}, to within ${next[1]}.`),
  progressOfAll: (count: number) => `${plural(count, 'review')}. Accuracy is counted per assistant:`,
  progressWhy: 'With this many reviews, a share of 85% is known to within these points.',
  reached: 'Read the accuracy, test other settings, or continue.',
  uncounted: 'These reviews do not count in the accuracy: the conversations are not a random sample.',
  second:
    'Second opinions: answer without the answers of the first person. They show how often people agree, and change no review. One in ten reviews is enough.',
  giveOpinions: 'Give second opinions',
  useSample: 'Review a random sample',
  toAccuracy: 'Show accuracy',
  none: 'No conversations left to review',
  noneWhy: 'All conversations of this list are reviewed, or the list is empty.',
  skippedBefore: 'You skipped this conversation before.',
  taken: 'The last conversation was reviewed before you, and only that review counts. Reviewed by',
  late: 'Somebody else reviewed this conversation meanwhile. Save your answers as a second opinion, or skip it.',
  gone: 'The last conversation was deleted.',
  question: (number: number, of: number) => `Question ${number} of ${of}`,
  next: 'Next',
  save: 'Save review',
  skip: 'Skip',
  enterAnswer: 'Enter answer',
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
