import { expect } from 'chai';

/** Returns the error of a promise that rejects. */
export const errorOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => expect.fail('the work succeeded'),
    (error: unknown) => error,
  );
