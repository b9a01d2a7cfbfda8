/** Goes where the login came in between: a path of the console, never another site. */
export function goOn({ history }: { history: { push: (path: string) => void } }, next: string | undefined): void {
  const isOwnPath = next !== undefined && /^\/(?![/\\])/.test(next);
  history.push(isOwnPath ? `/console${next}` : '/console/');
}
