/** Replaces the client's event reader in the console build. The console uses `EventSource` instead. */
export function createSseClient(): never {
  throw new Error('The console reads events with EventSource.');
}
