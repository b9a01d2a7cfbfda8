/** A link ends with the membership of its creator, also if the person joins again. */
import type { Knex } from 'knex';

/** Adding and validating a constraint in one transaction would block writes. */
export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table shares drop constraint if exists shares_of_member');
  await db.raw(`alter table shares add constraint shares_of_member foreign key (created_by, workspace_id)
    references memberships (user_id, workspace_id) on delete cascade not valid`);
  await db.raw(`delete from shares where not exists (
    select from memberships where user_id = created_by and memberships.workspace_id = shares.workspace_id)`);
  await db.raw('alter table shares validate constraint shares_of_member');
}
