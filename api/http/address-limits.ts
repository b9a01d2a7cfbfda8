import type { Knex } from 'knex';
import { networkOf } from './client-address.ts';
import { createRequestLimits } from './request-limits.ts';
import type { RequestLimits } from './request-limits.ts';

/** Networks that one IPv6 subscriber may use to the full: a /48 holds 65,536 of them. */
const NETWORKS_PER_SITE = 10;

/** Bounds the requests of an address: an IPv6 one with its whole /64, and its /48 at ten times the bound. */
export function createAddressLimits(db: Knex, points: number): RequestLimits {
  const perNetwork = createRequestLimits(db, { name: 'address', points });
  const perSite = createRequestLimits(db, { name: 'address-site', points: points * NETWORKS_PER_SITE });
  return {
    async take(address) {
      const [network, site] = [networkOf(address), networkOf(address, 48)];
      const headers = await perNetwork.take(network);
      if (site !== network) await perSite.take(site);
      return headers;
    },
  };
}
