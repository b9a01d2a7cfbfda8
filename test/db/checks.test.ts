import * as constants from '../../contract/values/constants.ts';
import * as providers from '../../contract/values/providers.ts';
import { TOKEN_SCOPES } from '../../contract/values/scopes.ts';
import { testDatabase } from '../support/database.ts';

/** The allowed values of each enumeration column. */
const VALUES: Record<string, readonly string[]> = {
  'api_keys.scopes': TOKEN_SCOPES,
  'assistant_fields.type': constants.FIELD_TYPES,
  'assistants.llm_provider': providers.LLM_PROVIDERS,
  'assistants.on_provider_outage': constants.OUTAGE_CHOICES,
  'assistants.reasoning_effort': constants.REASONING_EFFORTS,
  'assistants.stt_provider': providers.STT_PROVIDERS,
  'assistants.type': constants.ASSISTANT_TYPES,
  'assistants.webhook_auth': constants.WEBHOOK_AUTHS,
  'assistants.webhook_events': constants.SESSION_EVENTS,
  'audit_events.action': constants.AUDIT_ACTIONS,
  'batch_items.outcome': constants.FINAL_SESSION_STATUSES,
  'batches.action': constants.BATCH_ACTIONS,
  'batches.held_by': constants.BATCH_HOLDS,
  'batches.status': constants.BATCH_STATUSES,
  'deliveries.event': constants.WEBHOOK_EVENTS,
  'deliveries.status': constants.DELIVERY_STATUSES,
  'deliveries.stop_reason': constants.STOP_REASONS,
  'delivery_attempts.failure': constants.DELIVERY_FAILURES,
  'delivery_attempts.outcome': constants.ATTEMPT_OUTCOMES,
  'invitations.role': constants.MEMBER_ROLES,
  'group_roles.role': constants.MEMBER_ROLES.slice(1),
  'logins.kind': constants.LOGIN_KINDS,
  'logins.method': constants.LOGIN_METHODS,
  'memberships.source': constants.MEMBERSHIP_SOURCES,
  'memberships.role': constants.MEMBER_ROLES,
  'one_time_tokens.purpose': constants.LINK_PURPOSES,
  'provider_calls.provider': providers.PROVIDERS,
  'provider_calls.status': constants.CALL_STATUSES,
  'provider_calls.step': constants.STEPS,
  'sessions.field_encoding': constants.FIELD_ENCODINGS,
  'sessions.on_provider_outage': constants.OUTAGE_CHOICES,
  'sessions.status': constants.SESSION_STATUSES,
  'sessions.type': constants.ASSISTANT_TYPES,
  'users.language': constants.CONSOLE_LANGUAGES,
  'workspaces.sign_in': constants.SIGN_IN_POLICIES,
};

const valuesIn = (definition: string) => [...definition.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);

async function readChecks(): Promise<Map<string, string>> {
  const { rows } = await testDatabase().db.raw<{ rows: { name: string; definition: string }[] }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

describe('The checks of the database', () => {
  it('accept exactly the values in contract/values/constants.ts', async () => {
    const checks = await readChecks();
    const found = [...checks].filter(([name]) => name.endsWith('_known'));
    const expected = Object.entries(VALUES).map(([column, values]) => [
      `${column.replace('.', '_')}_known`,
      [...values].sort(),
    ]);
    expect(Object.fromEntries(found.map(([name, definition]) => [name, valuesIn(definition).sort()]))).to.deep.equal(
      Object.fromEntries(expected),
    );
  });

  it('require an end time exactly if the status of a session is final', async () => {
    const definition = (await readChecks()).get('sessions_completed') ?? '';
    expect(definition).to.match(/completed_at IS NULL\) = /);
    expect(valuesIn(definition)).to.deep.equal(constants.UNFINISHED_SESSION_STATUSES);
  });
});
