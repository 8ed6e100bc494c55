import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type RawMap = Readonly<Record<string, AttributeValue | undefined>>;

/**
 * Reads an item from DynamoDB's JSON. Never throws.
 *
 * Its maps have no prototype, because an attribute can have any name: the AWS SDK's `unmarshall`
 * reads what is stored under `__proto__` as if it stood beside it. An attribute `__proto__` of the
 * item itself is undefined: the AWS SDK loses its value.
 */
export function readItem(item: RawMap): Record<string, unknown> {
  return readMap(item, Number);
}

/** Reads a value as `readItem` does. `readNumber` gets up to 38 digits; the default rounds them. */
export function readValue(
  value: AttributeValue | undefined,
  readNumber: (digits: string) => unknown = Number,
): unknown {
  const { S, N, B, BOOL, NULL, L, M, SS, NS, BS } = value ?? {};
  if (M) return readMap(M, readNumber);
  if (L) return L.map((part) => readValue(part, readNumber));
  if (N !== undefined) return readNumber(N);
  if (NS) return new Set(NS.map((digits) => readNumber(digits)));
  if (SS || BS) return new Set<unknown>(SS ?? BS);
  return NULL ? null : (S ?? BOOL ?? B);
}

function readMap(map: RawMap, readNumber: (digits: string) => unknown): Record<string, unknown> {
  const read = Object.create(null);
  for (const [name, value] of Object.entries(map)) read[name] = readValue(value, readNumber);
  return read;
}
