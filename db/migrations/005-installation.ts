/** What the processes of an installation have in common, so that a process with other settings notices it: db/check-installation.ts. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`create table installation (
    is_only boolean primary key default true check (is_only),
    id uuid not null default gen_random_uuid(),
    encryption_keys text[],
    has_audio_mark boolean not null default false,
    temporal_namespace text,
    temporal_namespace_id text
  )`);
}
