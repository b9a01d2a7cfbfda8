/** Asks users to confirm their identity when a request requires it, and repeats the request. */
import { Store } from '@tanstack/react-store';

/** Called with whether the user has confirmed. Undefined if no request waits for a confirmation. */
export const proofRequest = new Store<((isProved: boolean) => void) | undefined>(undefined);

let asking: Promise<boolean> | undefined;

/** Opens the dialog. Returns false if the user closes it. */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    proofRequest.setState(() => resolve);
  }).finally(() => {
    asking = undefined;
    proofRequest.setState(() => undefined);
  });
  return asking;
}

/** Sends a request. If the API requires a proof of identity, asks for it and sends the request again. */
export async function sendWithProof(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const again = request.clone();
  const response = await send(request);
  const isRefused = response.status === 403 && (await response.clone().text()).includes('"proof_required"');
  return isRefused && (await askForProof()) ? send(again) : response;
}
