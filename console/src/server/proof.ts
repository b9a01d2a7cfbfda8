/** Asks users to confirm their identity when a request needs it, and repeats the request. */
import { Store } from '@tanstack/react-store';

/** Receives whether the user has confirmed. Undefined: nothing needs a confirmation. */
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

/** Sends a request. If it needs a proof of identity, asks for it and sends the request again. */
export async function sendWithProof(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const again = request.clone();
  const response = await send(request);
  const isRefused = response.status === 403 && (await response.clone().text()).includes('"proof_required"');
  return isRefused && (await askForProof()) ? send(again) : response;
}
