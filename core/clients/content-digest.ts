import { hash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StoredContent } from '../configuration/stored-content.ts';

/**
 * Identifies the content of a configuration: its fields, with their translations, and its language.
 * Two contents have one digest if and only if DynamoDB considers these attributes equal. It takes
 * DynamoDB's JSON, because JavaScript's numbers have fewer digits.
 *
 * `lastFieldId` is no part of it: the start of a rollout raises it, and customers see nothing of
 * that. It is a part of `StoredConfiguration.written`.
 *
 * @returns the SHA-256 digest of its canonical JSON, in hexadecimal.
 */
export function contentDigest({ fields, language }: StoredContent): string {
  const json = `[${[fields, language].map(canonicalJson).join()}]`;
  return hash('sha256', json);
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
