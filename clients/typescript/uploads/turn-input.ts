/** A turn as `POST /v1/requests/text` takes it. Not imported from the generated client, which is made from the API that uses this folder. */
export interface TurnInput {
  role: string;
  text: string;
  start_s?: number;
  end_s?: number;
}
