import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Version } from 'customer-data-api/history';
import { newestVersion, type VersionsTable } from 'customer-data-api/history';

/**
 * Finds the clients that have a history and no item, although no command removed them.
 *
 * @param existing the ids of the clients that have an item.
 * @returns the newest version of each: the deletion, unless that is not recorded yet.
 */
export async function* findDeletedClients(
  versions: VersionsTable,
  existing: ReadonlySet<string>,
): AsyncGenerator<Version> {
  for await (const clientId of clientsWithVersions(versions)) {
    if (existing.has(clientId)) continue;
    const newest = await newestVersion(versions, clientId);
    if (newest && !(newest.isDeleted && newest.source === 'published')) yield newest;
  }
}

/**
 * Lists the clients that have versions. It reads one version of each client and goes on behind its
 * last possible one: a client may have hundreds of them, as large as an item can be.
 */
async function* clientsWithVersions({
  dynamodb,
  tableName,
}: VersionsTable): AsyncGenerator<string> {
  let ExclusiveStartKey: ScanCommand['input']['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        Limit: 1,
        ProjectionExpression: 'clientId',
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    const clientId = Items[0]?.clientId?.S;
    if (clientId !== undefined) yield clientId;
    ExclusiveStartKey =
      clientId === undefined
        ? LastEvaluatedKey
        : marshall({ clientId, version: Number.MAX_SAFE_INTEGER });
  } while (ExclusiveStartKey);
}
