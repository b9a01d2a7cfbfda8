/** Reads the properties of a schema that providers check. */

type Node = Record<string, unknown>;

export interface SchemaFacts {
  /** The options of all enums. */
  options: string[];
  /** The names of all properties. */
  names: string[];
  /** Whether no object allows additional properties. */
  isClosed: boolean;
  hasOptional: boolean;
  hasEmptyEnum: boolean;
  /** Whether a number, string or list has limits. */
  hasBounds: boolean;
  unions: number;
}

export function readSchemaFacts(schema: unknown): SchemaFacts {
  const nodes = [...nodesOf(schema)];
  const objects = nodes.filter((node) => node['type'] === 'object');
  const enums = nodes.flatMap((node) => (Array.isArray(node['enum']) ? [node['enum'] as string[]] : []));
  const namesOf = (node: Node) => Object.keys(node['properties'] as Node);
  return {
    options: enums.flat(),
    names: objects.flatMap(namesOf),
    isClosed: objects.every((node) => node['additionalProperties'] === false),
    hasOptional: objects.some((node) => (node['required'] as string[]).length < namesOf(node).length),
    hasEmptyEnum: enums.some((options) => options.length === 0),
    hasBounds: nodes.some((node) => BOUNDS.some((bound) => bound in node)),
    unions: nodes.filter(isUnion).length,
  };
}

const BOUNDS = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'maxItems', 'uniqueItems'];

const isUnion = (node: Node) => 'anyOf' in node || Array.isArray(node['type']);

/** Yields a schema and all schemas in it. */
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
