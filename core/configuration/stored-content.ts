import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The attributes of a client's item that are its configuration. */
export const CONTENT = ['fields', 'lastFieldId', 'language'] as const;

/** The configuration in a client's item, in DynamoDB's JSON: numbers keep all their digits. */
export type StoredContent = {
  readonly [name in (typeof CONTENT)[number]]?: AttributeValue | undefined;
};

/** Picks the configuration out of an item. */
export function contentOf({ fields, lastFieldId, language }: StoredContent): StoredContent {
  return { fields, lastFieldId, ...(language && { language }) };
}
