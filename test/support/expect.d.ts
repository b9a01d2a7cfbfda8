/** Set by `chai/register-expect.js`, which `.mocharc.mjs` requires. */
declare const expect: Chai.ExpectStatic;
