/** Alerts of an assistant: a message about each result whose fields meet conditions, or about failed deliveries. docs/webhooks.md, "Alerts". */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import { rule, ruleIssue } from '../errors/rule.ts';
import { ALERT_EVENTS, ALERT_FORMATS, WEBHOOK_AUTHS } from '../values/constants.ts';
import { areDistinct, fieldConditions, openEnum, requestObject, responseObject, text } from '../values/schemas.ts';
import { webhookAuth, webhookSecret, webhookUrl } from '../values/webhook-settings.ts';

const AlertInputSchema = requestObject('AlertInput', {
  name: text({ min: 1, max: LIMITS.role }).meta({ examples: ['Unresolved'] }),
  event: z
    .enum(ALERT_EVENTS)
    .default('session.alert')
    .describe(
      '`session.alert`: a result meets the conditions. `delivery.failed`: the last attempt of a delivery of this assistant ' +
        'failed; at most once per receiver and hour.',
    ),
  when: fieldConditions()
    .default([])
    .describe(
      'Conditions on field values, with the syntax of the parameter `field` of the session list. A result must meet all of them. ' +
        'Required for `session.alert`; empty for `delivery.failed`.',
    )
    .meta({ examples: [['resolved:eq:false']] }),
  url: webhookUrl(),
  secret: webhookSecret()
    .describe(
      'Signs each delivery. Never returned. If absent, the secret of the alert with the same name and URL is kept; `null` removes it.',
    )
    .nullish(),
  auth: webhookAuth().default('both'),
  format: z
    .enum(ALERT_FORMATS)
    .default('json')
    .describe('`json`: the payload of `session.completed` with `alert`. `slack`: a message `{"text": …}`.'),
});
export type AlertInput = z.output<typeof AlertInputSchema>;

export const alerts = () =>
  z
    .array(AlertInputSchema)
    .max(LIMITS.alerts)
    .refine((all) => areDistinct(all.map(({ name }) => name)), rule('unique:names'))
    .superRefine((all, context) =>
      all.forEach(({ event, when }, index) => {
        if (event === 'session.alert' && when.length === 0)
          context.addIssue(ruleIssue([index, 'when'], 'too_few:have', { min: 'one', unit: 'condition' }));
        if (event === 'delivery.failed' && when.length > 0)
          context.addIssue(ruleIssue([index, 'when'], 'combined', { other: '`delivery.failed`' }));
      }),
    )
    .describe(
      'Webhooks for results whose fields meet conditions, and for failed deliveries. Replaces all alerts. `null` or `[]`: no alerts.',
    );

export const AlertSchema = responseObject('Alert', {
  name: z.string(),
  event: openEnum(ALERT_EVENTS),
  when: z.array(z.string()),
  url: z.string(),
  has_secret: z.boolean().describe('Changing `url` without a new secret makes it false.'),
  auth: openEnum(WEBHOOK_AUTHS),
  format: openEnum(ALERT_FORMATS),
  broken: z
    .array(z.string())
    .describe("Conditions that don't match the assistant's fields. An alert with such a condition is never sent."),
});
export type Alert = z.output<typeof AlertSchema>;
