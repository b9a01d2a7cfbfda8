export const share = {
  title: 'Share by a link',
  detail:
    'Anybody who has the link sees the chosen parts without a login. It never shows recordings or the originals of redacted values.',
  parts: {
    summary: 'Summary',
    fields: 'Fields',
    conversation: 'Conversation',
    verdict: 'Verdict',
    settings: 'Tested settings',
  },
  days: 'Expires after',
  dayChoices: { '1': '1 day', '7': '7 days', '30': '30 days', '90': '90 days' },
  create: 'Create link',
  once: 'Copy the link now. It is shown only once.',
  link: 'Link',
  open: 'Open links',
  until: 'until',
  revoke: 'Revoke',
  choose: 'Choose at least one part.',
  gone: 'This link has ended',
  goneDetail: 'It has expired or was revoked, or its data was deleted. Ask for a new one.',
  by: (name: string) => `Shared by ${name}`,
};
