/** Adds trials: sessions that try settings on a conversation, and post nothing to the assistant's webhook. */
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table sessions add trial boolean not null default false;

    -- As before, but a trial has no delivery.
    create or replace function end_analysis(
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
        temperature_applied = given.temperature_applied, field_encoding = given.field_encoding,
        roles = coalesce(given.roles, sessions.roles)
        where id = ended_id and status in ('queued', 'transcribing', 'analyzing') returning * into session;
      is_stored := found;
      is_begun := false;
      if not is_stored then
        return;
      end if;
      perform pg_notify('session_finished', ended_id);
      select webhook_url, webhook_secret into posts_to, secret
        from webhook_for(case when not session.trial then session.assistant_id end, session.batch_id, delivery ->> 'event');
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
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function end_analysis(
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
        temperature_applied = given.temperature_applied, field_encoding = given.field_encoding,
        roles = coalesce(given.roles, sessions.roles)
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
    alter table sessions drop trial;
  `);
}
