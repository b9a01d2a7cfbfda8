create or replace function owner_of(workspace text)
returns text
language sql
stable
as $$
  select user_id from memberships where workspace_id = workspace and role = 'owner' order by created_at, user_id limit 1
$$;
