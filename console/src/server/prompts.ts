/** Asks users to confirm their identity or to log in again when a request requires it, and repeats the request. */
import { Store } from '@tanstack/react-store';

type Prompt = 'login' | 'proof';

/** The open dialogs. Each is closed by calling its function with whether the user has confirmed. */
export const prompts = new Store<Partial<Record<Prompt, (isDone: boolean) => void>>>({});

const asking: Partial<Record<Prompt, Promise<boolean>>> = {};

/** Opens the dialog. Returns false if the user closes it. */
export function ask(prompt: Prompt): Promise<boolean> {
  const show = (settle?: (isDone: boolean) => void) => prompts.setState((open) => ({ ...open, [prompt]: settle }));
  asking[prompt] ??= new Promise<boolean>(show).finally(() => {
    asking[prompt] = undefined;
    show();
  });
  return asking[prompt];
}

let hasWork = (_request: Request) => false;

/** Registers a function that returns whether the page has work that the user would lose if the login page opened. */
export function keepWorkWhen(test: typeof hasWork): void {
  hasWork = test;
}

async function findPrompt(request: Request, response: Response): Promise<Prompt | undefined> {
  // The dialog itself logs in.
  if (response.status === 401)
    return !request.url.endsWith('/console-session') && hasWork(request) ? 'login' : undefined;
  return response.status === 403 && (await response.clone().text()).includes('"proof_required"') ? 'proof' : undefined;
}

/** Sends a request. If the API requires a login or a proof of identity, asks for it and sends the request again. */
export async function sendWithPrompts(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const again = request.clone();
  const response = await send(request);
  const needed = await findPrompt(again, response);
  return needed && (await ask(needed)) ? sendWithPrompts(again, send) : response;
}
