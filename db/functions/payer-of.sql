-- Returns whose limits a workspace counts for: its owner, or the workspace itself without an owner. As payerOf in api/guard/authenticate.ts.
create or replace function payer_of(workspace text)
returns text
language sql
stable
as $$
  select coalesce(owner_of(workspace), workspace)
$$;

-- Returns the workspaces that share limits with this one, itself included. A caller that knows its payer saves a look-up.
drop function if exists paid_with(text);
create or replace function paid_with(workspace text, payer text default null)
returns text[]
language plpgsql
stable
as $$
begin
  payer := coalesce(payer, payer_of(workspace));
  return array(
    select workspace union
    select owned.workspace_id from memberships owned
      where owned.user_id = payer and owned.role = 'owner' and owned.workspace_id <> workspace
        and payer_of(owned.workspace_id) = payer);
end $$;
