import * as v from 'valibot';
import { described, matching } from './setting-types.ts';

const TableName = matching(/^[\w.-]{3,255}$/, 'must be the name of a DynamoDB table');
const StreamArn = matching(
  /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
  'must be the ARN of the stream of a DynamoDB table',
);

const TableWithStream = v.pipe(
  v.strictObject({ name: TableName, streamArn: StreamArn }),
  v.check(
    ({ name, streamArn }) => streamArn.includes(`:table/${name}/stream/`),
    'must have the name and the stream of one table',
  ),
);

/** Tables that the stack uses instead of new ones. */
export const EXISTING_TABLES = {
  configsTable: described(
    'An existing Configs table, such as one that was restored. Its stream must have new and old images.',
    v.optional(TableWithStream),
  ),
  configVersionsTable: described(
    'An existing ConfigVersions table, such as one that was restored.',
    v.optional(v.strictObject({ name: TableName })),
  ),
  promoEventsTable: described(
    'An existing PromoEvents table, such as one that was restored. Its stream must have new images. With promoEventRetentionDays, its time to live must be on for the attribute expiresAt: otherwise nothing expires.',
    v.optional(TableWithStream),
  ),
  erasuresTable: described(
    'An existing Erasures table, such as one that was restored. Its time to live must be on for the attribute expiresAt.',
    v.optional(v.strictObject({ name: TableName })),
  ),
};
