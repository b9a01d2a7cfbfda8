/** English texts about accuracy and experiments, loaded with their pages. */

const numberOf = (count: number) => count.toLocaleString('en');
const plural = (count: number, one: string) => `${numberOf(count)} ${one}${count === 1 ? '' : 's'}`;

export const accuracy = {
  title: 'Accuracy',
  detail: (reviews: number) =>
    `From ${plural(reviews, 'review')} of a random sample. If you reviewed everything, the share would most likely be in the range in parentheses.`,
  range: (lower: string, upper: string) => `${lower} to ${upper}`,
  right: (share: string, range: string, count: number) => `right in ${share} (${range}) of ${numberOf(count)} reviewed`,
  rightOf: (share: string, count: number) => `right in ${share} of ${numberOf(count)}`,
  always: (value: string, share: string) => `always ${value} would be right in ${share}`,
  wrong: (count: number) => `${numberOf(count)} wrong`,
  missed: (count: number) => `${numberOf(count)} missed`,
  invented: (count: number) => `${numberOf(count)} invented`,
  unsure: (count: number) => `${numberOf(count)} unsure`,
  verified: (share: string) => `Verified by a quote: ${share}`,
  unverified: (share: string) => `Unverified: ${share}`,
  others: (count: number) =>
    `${plural(count, 'review')} outside the sample ${count === 1 ? 'does' : 'do'} not count, because people open conversations that look wrong.`,
  invite: 'Can you trust these values?',
  inviteDetail:
    'Review a random sample, and this page shows how often each value is right. 30 reviews take about 20 minutes.',
  review: 'Review 30 conversations',
  reviewMore: 'Review conversations',
};
