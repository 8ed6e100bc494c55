import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The attributes of a client's item that are its configuration, as DynamoDB stores them. */
export interface RawContent {
  readonly fields?: AttributeValue | undefined;
  readonly lastFieldId?: AttributeValue | undefined;
}

/**
 * Identifies the content of a configuration: the SHA-256 digest of its canonical JSON, in
 * hexadecimal digits. Two contents have the same digest if and only if DynamoDB considers both
 * attributes equal. Other attributes, such as keys, do not count.
 *
 * It takes DynamoDB's own JSON, in which a number is a string: JavaScript's numbers have fewer
 * digits.
 */
export function contentDigest({ fields, lastFieldId }: RawContent): string {
  const json = `[${canonicalJson(fields)},${canonicalJson(lastFieldId)}]`;
  return createHash('sha256').update(json).digest('hex');
}

/**
 * Writes a value in DynamoDB's JSON so that equal values have equal strings: the keys of maps and
 * the members of sets are in order, and binary values are in base64, as the API and the events of a
 * stream have them.
 */
export function canonicalJson(value: AttributeValue | undefined): string {
  if (!value) return 'null';
  const [[type, content] = []] = Object.entries(value);
  return `{"${type}":${canonicalContent(content)}}`;
}

/** The strings of sets, lists of values, maps of values, and single values. */
function canonicalContent(content: unknown): string {
  if (Array.isArray(content)) {
    const isSet = content.some((part) => typeof part === 'string' || ArrayBuffer.isView(part));
    const parts = content.map(isSet ? canonicalContent : canonicalJson);
    return `[${(isSet ? parts.toSorted() : parts).join()}]`;
  }
  if (ArrayBuffer.isView(content)) return JSON.stringify(base64(content));
  if (typeof content !== 'object' || content === null) return JSON.stringify(content);
  const entries = Object.entries(content as Record<string, AttributeValue>)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`);
  return `{${entries.join()}}`;
}

function base64({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
