import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';

/*
 * JSON for values of DynamoDB that JSON cannot hold: `{"$number": "…"}` for a number with more
 * digits than JavaScript's, `{"$binary": "…"}` in base64. A page that sends them back unchanged
 * changes nothing.
 */

/** Writes JSON. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, part) {
    // A Buffer has a `toJSON`, which `part` comes from.
    const original = this[name];
    if (original instanceof NumberValue) return { $number: original.toString() };
    if (original instanceof Uint8Array)
      return { $binary: Buffer.from(original).toString('base64') };
    return part;
  });
}

/** Parses JSON. Throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_, part) => {
    const [[name, value] = [], ...others] = Object.entries(Object(part));
    if (typeof value !== 'string' || others.length > 0) return part;
    if (name === '$number' && /^-?[\d.]+(E[+-]?\d+)?$/i.test(value)) return NumberValue.from(value);
    return name === '$binary' ? new Uint8Array(Buffer.from(value, 'base64')) : part;
  });
}
