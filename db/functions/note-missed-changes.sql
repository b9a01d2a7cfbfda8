-- Sessions that ended between the migration 007 and the triggers of note-change.sql. A file of its own, because the triggers lock
-- the table until their transaction ends.
insert into session_changes (session_id, workspace_id, updated_at)
  select id, workspace_id, completed_at from sessions
  where completed_at is not null and not exists (select from session_changes where session_id = sessions.id)
  on conflict do nothing;
