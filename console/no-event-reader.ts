/** Takes the place of the client's reader of events in the console. */
export function createSseClient(): never {
  throw new Error('The console reads events with EventSource.');
}
