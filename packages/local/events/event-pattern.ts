import { UsageError } from 'customer-data-api-deployment/program';

/** Tells whether an event or a stream record matches an event pattern. */
type EventPattern = (event: unknown) => boolean;

/** Tells whether the value of a field matches; `undefined` if the field is missing. */
type Matcher = (value: unknown) => boolean;

/**
 * Reads an event pattern: nested objects with lists of values as leaves, `$or`, and the operators
 * `prefix`, `suffix`, `wildcard`, `equals-ignore-case`, `anything-but` and `exists`. No maintained
 * library for Node does this.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 *
 * @throws UsageError if it is not JSON, or has another operator.
 */
export function readEventPattern(text: string): EventPattern {
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch {
    throw new UsageError(`The event pattern is not JSON: ${text}`);
  }
  return fieldsMatcher(pattern);
}

function fieldsMatcher(pattern: unknown): Matcher {
  if (!isObject(pattern) || Object.keys(pattern).length === 0) throw unknown(pattern);
  const fields = Object.entries(pattern).map(([name, expected]): Matcher => {
    if (name === '$or') return choicesMatcher(expected);
    if (name.startsWith('$')) throw unknown({ [name]: expected });
    const matches = Array.isArray(expected) ? leafMatcher(expected) : fieldsMatcher(expected);
    return (value) => matches(isObject(value) ? value[name] : undefined);
  });
  return (value) => fields.every((matches) => matches(value));
}

/** True if any of several patterns matches. */
function choicesMatcher(expected: unknown): Matcher {
  if (!Array.isArray(expected) || expected.length === 0) throw unknown({ $or: expected });
  const choices = expected.map(fieldsMatcher);
  return (value) => choices.some((matches) => matches(value));
}

/** True if any value of a field matches any expected one. As on AWS, an object is no value. */
function leafMatcher(expected: readonly unknown[]): Matcher {
  if (expected.length === 0) throw unknown(expected);
  const matchers = expected.map((one) =>
    isObject(one) ? operator(one) : (v: unknown) => v === one,
  );
  return (value) => {
    const values = Array.isArray(value) ? value : [value];
    const leaves = values.map((one) => (isObject(one) ? undefined : one));
    return leaves.some((one) => matchers.some((matches) => matches(one)));
  };
}

function operator(expected: Record<string, unknown>): Matcher {
  const [[name, operand] = ['', undefined], ...others] = Object.entries(expected);
  if (others.length > 0) throw unknown(expected);
  if (name === 'prefix' && typeof operand === 'string') {
    return (value) => typeof value === 'string' && value.startsWith(operand);
  }
  if (name === 'suffix' && typeof operand === 'string') {
    return (value) => typeof value === 'string' && value.endsWith(operand);
  }
  // EventBridge refuses two stars in succession, and a backslash begins an escape.
  if (name === 'wildcard' && typeof operand === 'string' && !/\*\*|\\/.test(operand)) {
    const source = operand.replaceAll(/\W/g, (sign) => (sign === '*' ? '.*' : `\\${sign}`));
    const whole = new RegExp(`^${source}$`, 's');
    return (value) => typeof value === 'string' && whole.test(value);
  }
  if (name === 'equals-ignore-case' && typeof operand === 'string') {
    const text = operand.toLowerCase();
    return (value) => typeof value === 'string' && value.toLowerCase() === text;
  }
  if (name === 'exists' && typeof operand === 'boolean') {
    return (value) => (value !== undefined) === operand;
  }
  if (name === 'anything-but') {
    const excluded = leafMatcher([operand].flat());
    return (value) => value !== undefined && !excluded(value);
  }
  throw unknown(expected);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknown(part: unknown): UsageError {
  return new UsageError(
    `The local event bus does not know this part of an event pattern: ${JSON.stringify(part)}`,
  );
}
