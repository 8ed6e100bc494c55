import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The attributes of a client's item that are its configuration. */
export const CONTENT = ['fields', 'lastFieldId', 'language'] as const;

/** The configuration in a client's item, in DynamoDB's JSON. */
export type StoredContent = {
  readonly [name in (typeof CONTENT)[number]]?: AttributeValue | undefined;
};

/** Picks the configuration out of an item. */
export function contentOf({ fields, lastFieldId, language }: StoredContent): StoredContent {
  return { fields, lastFieldId, ...(language && { language }) };
}

/**
 * Identifies the content of a configuration by the SHA-256 digest of its canonical JSON, in
 * hexadecimal. Digests are equal if and only if DynamoDB considers all attributes equal. It takes
 * DynamoDB's JSON, because JavaScript's numbers have fewer digits.
 */
export function contentDigest({ fields, lastFieldId, language }: StoredContent): string {
  // Without a language, the digest is that of earlier releases.
  const values = language ? [fields, lastFieldId, language] : [fields, lastFieldId];
  const json = `[${values.map(canonicalJson).join()}]`;
  return createHash('sha256').update(json).digest('hex');
}

/**
 * Writes a value in DynamoDB's JSON so that equal values give equal strings: map keys and set
 * members are sorted, and binary values are in base64, as in the API and in stream events.
 */
export function canonicalJson(value: AttributeValue | undefined): string {
  if (!value) return 'null';
  const [type = ''] = Object.keys(value);
  return `{"${type}":${canonicalContent(Object(value)[type])}}`;
}

/** Writes a set, a list, a map or a single value. */
function canonicalContent(content: unknown): string {
  if (Array.isArray(content)) {
    const isSet = content.some((part) => typeof part === 'string' || ArrayBuffer.isView(part));
    const parts = content.map(isSet ? canonicalContent : canonicalJson);
    return `[${(isSet ? parts.toSorted() : parts).join()}]`;
  }
  if (ArrayBuffer.isView(content)) return JSON.stringify(base64(content));
  if (typeof content !== 'object' || content === null) return JSON.stringify(content);
  const map = content as Record<string, AttributeValue>;
  // By UTF-16 code units, as `sort` compares strings without a function.
  const entries = Object.keys(map)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(map[name])}`);
  return `{${entries.join()}}`;
}

function base64({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
