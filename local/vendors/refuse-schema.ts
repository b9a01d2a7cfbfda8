/** The limits of schemas that vendors are known to have, so that a schema beyond them fails here and not with a key. */
import type { LlmProviderName } from '../../contract/constants.ts';
import { Refusal } from './dialect.ts';

type Node = Record<string, unknown>;

/** Throws what the vendor would answer. Sources: docs/decisions.md, "Fields". */
export function refuseSchema(vendor: LlmProviderName, schema: unknown): void {
  const nodes = [...nodesOf(schema)];
  const refuse = (message: string) => {
    throw new Refusal(400, message);
  };
  const objects = nodes.filter((node) => node['type'] === 'object');
  const options = nodes.flatMap((node) => (Array.isArray(node['enum']) ? (node['enum'] as string[]) : []));
  const names = objects.flatMap((node) => Object.keys(node['properties'] as Node));
  const isClosed = (node: Node) => node['additionalProperties'] === false;
  const hasOptional = (node: Node) =>
    (node['required'] as string[]).length < Object.keys(node['properties'] as Node).length;
  const bounds = nodes.filter((node) => BOUNDS.some((bound) => bound in node));
  switch (vendor) {
    case 'openai':
      if (!objects.every(isClosed) || objects.some(hasOptional))
        refuse("Invalid schema for response_format: 'required'");
      if (options.length > 1_000) refuse('Invalid schema for response_format: too many enum values');
      break;
    case 'anthropic':
      if (!objects.every(isClosed)) refuse("output_config.format.schema: 'additionalProperties' must be false");
      if (bounds.length > 0) refuse('output_config.format.schema: bounds are not supported');
      if (nodes.filter(isUnion).length > 16) refuse('The compiled grammar is too large: 16 unions at most');
      break;
    case 'gemini':
      if ([...names, ...options].join('').length > 1_700) refuse('Request contains an invalid argument.');
      if (options.includes('')) refuse('Request contains an invalid argument.');
      break;
    case 'grok':
      if (nodes.some((node) => Array.isArray(node['enum']) && node['enum'].length === 0))
        refuse('Invalid schema: empty enum');
  }
}

const BOUNDS = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'maxItems', 'uniqueItems'];

const isUnion = (node: Node) => 'anyOf' in node || Array.isArray(node['type']);

/** Every schema in a schema, itself first. */
function* nodesOf(schema: unknown): Generator<Node> {
  if (typeof schema !== 'object' || schema === null) return;
  const node = schema as Node;
  yield node;
  const inner = [
    node['items'],
    ...Object.values((node['properties'] ?? {}) as Node),
    ...((node['anyOf'] ?? []) as unknown[]),
  ];
  for (const child of inner) yield* nodesOf(child);
}
