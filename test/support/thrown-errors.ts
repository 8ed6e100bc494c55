/**
 * Setup of all tests: what `toThrow` and `rejects.toThrow` expect is an error. Chai compares a
 * message only with what is truthy, so a test would pass if `undefined` is thrown.
 */
import { afterAll, chai } from 'vitest';

const { Assertion, AssertionError, util } = chai;
/** `toThrow` calls its method `throws`. */
const prototype = Assertion.prototype as typeof Assertion.prototype & {
  throws(...expected: unknown[]): object;
};
const { throws } = prototype;

prototype.throws = function (...expected) {
  throws.apply(this, expected);
  // Chai has put it where the function was that threw it.
  const thrown: unknown = util.flag(this, 'object');
  if (!thrown && !util.flag(this, 'negate')) {
    throw new AssertionError(`expected an error to be thrown but got ${thrown}`);
  }
  return this;
};

afterAll(() => {
  prototype.throws = throws;
});
