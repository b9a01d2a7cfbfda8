/** Sessions at half price, and which tier each call asked for. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table assistants add column economy boolean not null default false');
  await db.raw('alter table provider_calls add column tier text collate "C"');
}
