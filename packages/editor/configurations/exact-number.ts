import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';

/** Writes JSON in which numbers have all their digits. */
export function exactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, part) => withDigits(part), indent);
}

/** TypeScript does not know `rawJSON` yet. It writes a number as it is. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function withDigits(value: unknown): unknown {
  return value instanceof NumberValue ? rawJSON(String(value)) : value;
}
