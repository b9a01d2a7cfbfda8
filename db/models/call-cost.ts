/** Statements, and parts of them, that store the end of a provider call with its session. */

/** Returns a text of a provider, or null without its session. The lock makes a concurrent deletion wait, which then erases it. */
const OF_EXISTING = (column: string) => `(select given.${column} from sessions where id = :id for key share)`;

/** Stores the end of `:call`, the JSON of a `ClosedCall` of the session `:id`; nothing if it is null. Returns the call. */
export const CLOSE_CALL = `
    update provider_calls made set status = given.status, ended_at = now(), usage = given.usage,
      cost_usd = given.cost_usd, reserved_usd = coalesce(given.reserved_usd, made.reserved_usd),
      provider_request_id = given.provider_request_id, tier = given.tier, error = given.error, settings = given.settings,
      provider_response = ${OF_EXISTING('provider_response')}, provider_message = ${OF_EXISTING('provider_message')}
    from jsonb_populate_record(cast(null as provider_calls), cast(:call as jsonb)) given
    where made.session_id = :id and made.step = given.step and made.attempt = given.attempt
    returning made.step, made.attempt, made.cost_usd`;

/**
 * Computes `sessions.total_cost` from the provider calls.
 * @param closed the part of the statement that returns the session's call whose cost it writes, or nothing.
 */
export const TOTAL_COST = (closed: string) => `coalesce((
  select sum(cost_usd) from (
    select cost_usd from provider_calls
    where session_id = sessions.id and (step, attempt) not in (select step, attempt from ${closed})
    union all select cost_usd from ${closed}) call), 0)`;

/** Stores the end of a call alone, and adds its cost to the session. */
export const CLOSE = `
  with closed as (${CLOSE_CALL}) update sessions set total_cost = ${TOTAL_COST('closed')}
  from closed where sessions.id = :id and closed.cost_usd > 0`;

/** Adds the cost of a call that ended after its session. */
export const ADD_LATE_COST = `
  update sessions set total_cost = coalesce((
    select sum(cost_usd) from provider_calls where session_id = sessions.id), 0)
  where id = ?`;
