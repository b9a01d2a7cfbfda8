/** Where an id leads: its prefix says what it names. */
import type { LinkProps } from '@tanstack/react-router';

const ID = /\b(sess|dlv|asst|key)_[0-9a-hjkmnp-tv-z]{26}\b/;

export interface Target {
  id: string;
  kind: 'sess' | 'dlv' | 'asst' | 'key';
  link: Pick<LinkProps, 'to' | 'params'>;
}

/** Returns the page of the first id in the text: a pasted line of a log will do. */
export function findById(text: string): Target | undefined {
  const [id, kind] = ID.exec(text) ?? [];
  if (id === undefined) return undefined;
  if (kind === 'sess') return { id, kind, link: { to: '/sessions/$sessionId', params: { sessionId: id } } };
  if (kind === 'dlv') return { id, kind, link: { to: '/deliveries/$deliveryId', params: { deliveryId: id } } };
  if (kind === 'asst') return { id, kind, link: { to: '/assistants/$assistantId', params: { assistantId: id } } };
  return { id, kind: 'key', link: { to: '/settings/tokens' } };
}
