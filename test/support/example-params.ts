import type { Endpoint } from '../../contract/values/endpoint.ts';

/**
 * Returns the example parameters in the contract. They are well-formed IDs of objects that don't exist.
 * @param replace IDs to use instead, by prefix.
 */
export function exampleParams({ params }: Endpoint, replace: Record<string, string> = {}): Record<string, string> {
  const schemas = Object.entries(params?.shape ?? {}) as [string, { meta(): { examples: [string] } }][];
  const idOf = (example: string) => replace[example.split('_')[0] ?? ''] ?? example;
  return Object.fromEntries(schemas.map(([name, schema]) => [name, idOf(schema.meta().examples[0])]));
}
