/** What the provider says about a person. */
import { email as emailSchema } from '../../contract/account/account.ts';

export interface Claims {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  /** undefined: the provider reports none. */
  groups: string[] | undefined;
  /** The person used a second factor. */
  isStrong: boolean;
}

/** Returns the address if the provider verified it. */
export const verifiedEmailOf = ({ email, isEmailVerified }: Claims): string | undefined =>
  isEmailVerified ? emailSchema().safeParse(email).data : undefined;

/** Returns the domain of the verified address; empty without one. */
export const domainOf = (claims: Claims): string => verifiedEmailOf(claims)?.split('@')[1]?.toLowerCase() ?? '';
