/** Asks for the body of a request only where it is read: what is refused before, by its headers, is then never sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends `100 Continue` to a client that waits for it (RFC 9110 §10.1.1) as soon as its body is read. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent) response.writeContinue();
  });
}
