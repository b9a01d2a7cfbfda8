/**
 * Limits emails with links. Each purpose has its own counters, so nobody blocks another person's reset, and a counter that a
 * sender can see never depends on whether an address has an account.
 */
import type { Knex } from 'knex';
import { networkOf } from './client-address.ts';
import { accountOf } from './login-limits.ts';
import { createRequestLimits } from './request-limits.ts';

interface Sender {
  userId: string;
  address: string;
}

/** Each function throws `rate_limited` beyond a limit. */
export interface MailLimits {
  takeReset(email: string): Promise<void>;
  /** @param recipient undefined: the sender's own address, which other senders must not block. */
  takeLink(sender: Sender, recipient: string | undefined): Promise<void>;
  takeInvitation(sender: Sender, recipient: string): Promise<void>;
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

export function createMailLimits(db: Knex): MailLimits {
  const limit = (name: string, points: number, windowS: number) => createRequestLimits(db, { name, points, windowS });
  const resets = limit('reset-to', 3, HOUR_S);
  const network = limit('mail-network', 50, HOUR_S);
  const links = {
    hourly: limit('link-hour', 5, HOUR_S),
    daily: limit('link-day', 20, DAY_S),
    to: limit('link-to', 3, HOUR_S),
  };
  const invitations = { daily: limit('invitation', 20, DAY_S), to: limit('invitation-to', 3, HOUR_S) };
  const takeNetwork = ({ address }: Sender) => network.take(networkOf(address, 48));

  return {
    async takeReset(email) {
      await resets.take(accountOf(email));
    },
    async takeLink(sender, recipient) {
      await links.hourly.take(sender.userId);
      await links.daily.take(sender.userId);
      await takeNetwork(sender);
      if (recipient !== undefined) await links.to.take(accountOf(recipient));
    },
    async takeInvitation(sender, recipient) {
      await invitations.daily.take(sender.userId);
      await takeNetwork(sender);
      await invitations.to.take(accountOf(recipient));
    },
  };
}
