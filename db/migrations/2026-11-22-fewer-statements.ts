/** Functions that do in one statement, and one commit, what took several: docs/performance.md, "What a session costs". */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Takes the sessions of a user to wake: those that wait for a slot and may have one. Each is returned to one caller
    -- only, until it asks again; after 10 s to another one, in case its call was lost.
    create function take_wakeable(owner text, max_in_flight integer) returns setof text language sql as $$
      with waiting as materialized (
        select user_id from sessions where user_id = owner and waiting_for_slot and status = 'queued' limit 1),
      wakeable as (
        select id from sessions
        where id in (select startable_sessions(waiting.user_id, max_in_flight) from waiting)
          and waiting_for_slot and status = 'queued'
          and (woken_at is null or woken_at < now() - interval '10 seconds')
        -- Who is locked is asking, or is being woken.
        order by id for update skip locked)
      update sessions set woken_at = now(), check_after = now() + interval '1 minute'
      from wakeable where sessions.id = wakeable.id returning sessions.id
    $$;

    -- The webhook that an event of a session is posted to, no row for none. The assistant may have got or lost it since the
    -- session was submitted, and a batch sends nothing unless it was asked to.
    create function webhook_for(of_assistant text, of_batch text, event text)
    returns table (webhook_url text, webhook_secret text) language sql stable as $$
      select webhook_url, webhook_secret from assistants
      where id = of_assistant and webhook_url is not null and event = any (webhook_events)
        and not exists (select from batches where batches.id = of_batch and not notify)
    $$;

    -- Stores the result of a session that has not ended: the call that brought it, the result, the delivery if the
    -- assistant wants one now, and the row of its first attempt, unless the webhook is not the one that the attempt was
    -- made ready for. Who waits for the result hears of it with the commit. Returns the sessions of its owner that may
    -- begin now. The owner's lock comes first, as where a session begins: who asks for a slot meanwhile either finds the
    -- session ended, or is found waiting.
    create function end_analysis(
      ended_id text, call json, ended json, delivery json, first_attempt json, max_in_flight integer,
      out is_stored boolean, out posts_to text, out is_begun boolean, out woken text[]
    ) language plpgsql as $$
    declare
      given_call vendor_calls := json_populate_record(null::vendor_calls, call);
      given sessions := json_populate_record(null::sessions, ended);
      session sessions;
      secret text;
    begin
      perform pg_advisory_xact_lock(hashtextextended(user_id, 0)) from sessions where id = ended_id;
      if call is not null then
        update vendor_calls set status = given_call.status, ended_at = given_call.ended_at, usage = given_call.usage,
          cost_usd = given_call.cost_usd, reserved_usd = coalesce(given_call.reserved_usd, reserved_usd),
          vendor_request_id = given_call.vendor_request_id, vendor_response = given_call.vendor_response
        where session_id = ended_id and step = given_call.step and attempt = given_call.attempt;
      end if;
      update sessions set status = 'completed', completed_at = given.completed_at, waiting_for_provider = null,
        summary_text = given.summary_text, raw_response = given.raw_response, answered_by = given.answered_by,
        temperature_applied = given.temperature_applied, field_encoding = given.field_encoding
        where id = ended_id and status in ('queued', 'transcribing', 'analyzing') returning * into session;
      is_stored := found;
      is_begun := false;
      if not is_stored then
        return;
      end if;
      perform pg_notify('session_finished', ended_id);
      select webhook_url, webhook_secret into posts_to, secret
        from webhook_for(session.assistant_id, session.batch_id, delivery ->> 'event');
      if posts_to is not null then
        insert into deliveries (id, user_id, session_id, assistant_id, workflow_id, event, payload, next_attempt_at)
          values (delivery ->> 'id', session.user_id, ended_id, session.assistant_id, ended_id, delivery ->> 'event',
            delivery ->> 'payload', now());
        is_begun := posts_to is not distinct from first_attempt ->> 'url'
          and secret is not distinct from first_attempt ->> 'sealed_secret';
        if is_begun then
          insert into delivery_attempts (delivery_id, attempt, url, request_headers)
            values (delivery ->> 'id', 1, posts_to, first_attempt -> 'request_headers');
        end if;
      end if;
      woken := array(select take_wakeable(session.user_id, max_in_flight));
    end $$;

    -- Stores an attempt's end and its delivery's state after it, and returns the state that counts, and whether this end
    -- was the first. A delivery that was stopped while the attempt was under way stays stopped, unless the receiver took
    -- it: then it is delivered, whatever was wished.
    create function end_delivery_attempt(
      ended json, status_given text, delay_ms double precision, out is_first boolean, out status text
    ) language plpgsql as $$
    declare
      given delivery_attempts := json_populate_record(null::delivery_attempts, ended);
      next_at timestamptz := case when status_given = 'pending' then now() + delay_ms * interval '1 millisecond' end;
    begin
      update delivery_attempts made set outcome = case when given.failure is null then 'succeeded' else 'failed' end,
        failure = given.failure, status_code = given.status_code, duration_ms = given.duration_ms,
        response_headers = given.response_headers, response_body = given.response_body,
        response_truncated = coalesce(given.response_truncated, false), next_attempt_at = next_at
        where made.delivery_id = given.delivery_id and made.attempt = given.attempt and made.outcome is null;
      is_first := found;
      update deliveries set status = status_given, next_attempt_at = next_at,
        ended_at = case when status_given <> 'pending' then now() end
        where id = given.delivery_id and deliveries.status = 'pending';
      if not found and status_given = 'delivered' then
        update deliveries set status = 'delivered', stop_reason = null
          where id = given.delivery_id and deliveries.status = 'stopped';
      end if;
      select deliveries.status into status from deliveries where id = given.delivery_id;
      status := coalesce(status, 'stopped');
    end $$;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop function end_analysis, webhook_for, end_delivery_attempt, take_wakeable');
}
