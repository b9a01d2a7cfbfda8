/** Set by `chai/register-expect.js`, which the configuration of Mocha requires. */
declare const expect: Chai.ExpectStatic;
