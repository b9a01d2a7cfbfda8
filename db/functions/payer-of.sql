-- Returns whose limits a workspace counts for: its owner, or the workspace itself without an owner. As payerOf in api/guard/authenticate.ts.
create or replace function payer_of(workspace text)
returns text
language sql
stable
as $$
  select coalesce(owner_of(workspace), workspace)
$$;

-- Returns the workspaces that share limits with this one, itself included.
create or replace function paid_with(workspace text)
returns text[]
language plpgsql
stable
as $$
declare
  payer text := payer_of(workspace);
begin
  return array(
    select workspace union
    select owned.workspace_id from memberships owned
      where owned.user_id = payer and owned.role = 'owner' and payer_of(owned.workspace_id) = payer);
end $$;
