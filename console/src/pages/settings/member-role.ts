import { MEMBER_ROLES } from '../../../../contract/constants.ts';
import type { MemberRole } from '../../../../contract/constants.ts';

/** Returns the roles that a member with this role can assign. Only owners can assign the role of owner. */
export const rolesUpTo = (own: MemberRole): readonly MemberRole[] =>
  MEMBER_ROLES.filter((role) => role !== 'owner' || own === 'owner');
