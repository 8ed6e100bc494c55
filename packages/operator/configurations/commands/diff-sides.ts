import { existsSync } from 'node:fs';
import { ClientId } from 'customer-data-api/configuration';
import { UserError } from 'customer-data-api-deployment/program';
import * as v from 'valibot';
import type { Named } from '../diff-configurations.ts';
import { giveNewIds } from '../new-ids.ts';
import {
  type ConfigurationTables,
  fileOf,
  findStored,
  readExistingVersion,
  readStored,
  type StoredConfiguration,
} from '../stored-configuration.ts';
import { isFileName, readDraft, readText } from './draft.ts';
import type { VersionReference } from './version-reference.ts';

/** One of two configurations to compare, and whether a file has it. */
type Side = Named & { readonly isFile?: boolean };

/**
 * Reads two configurations that an operator names, each a version, a client or a file. Without
 * `after`, compares what is live with `before`. What a file leaves to its publication is filled in
 * as if it were published over the other one.
 *
 * @throws UserError if one of them does not exist.
 */
export async function readSides(
  tables: ConfigurationTables,
  before: VersionReference | string,
  after: VersionReference | string | undefined,
): Promise<[before: Named, after: Named]> {
  const named = await readSide(tables, before);
  const [old, fresh] =
    after === undefined
      ? [live(await readStored(tables, String(named.content.clientId))), named]
      : [named, await readSide(tables, after)];
  return [
    await published(tables, old, fresh.isFile ? old : fresh),
    await published(tables, fresh, old),
  ];
}

async function readSide(
  tables: ConfigurationTables,
  side: VersionReference | string,
): Promise<Side> {
  if (typeof side !== 'string') {
    const { clientId, version } = side;
    const name = `${clientId}@${version}`;
    return { name, content: fileOf(await readExistingVersion(tables, clientId, version)) };
  }
  const isPath = isFileName(side);
  const stored = isPath || !v.is(ClientId, side) ? undefined : await findStored(tables, side);
  if (stored) return live(stored);
  if (isPath || existsSync(side)) {
    return { name: side, content: readDraft(side, await readText(side)), isFile: true };
  }
  throw new UserError(`${side} is not a client, a version (demo@3) or a file.`, 'noSuchClient');
}

function live(stored: StoredConfiguration): Side {
  return { name: stored.clientId, content: fileOf(stored), unknown: stored.unknown ?? [] };
}

/** What a file would make of a configuration. Anything else stays as it is. */
async function published(tables: ConfigurationTables, side: Side, over: Side): Promise<Named> {
  const { name, content, isFile } = side;
  const { clientId, fields, lastFieldId } = content;
  if (!isFile || typeof clientId !== 'string' || !Array.isArray(fields)) return side;
  const own = Number.isSafeInteger(lastFieldId) ? Number(lastFieldId) : undefined;
  const before: readonly unknown[] = Array.isArray(over.content.fields) ? over.content.fields : [];
  const ids = await giveNewIds(
    tables,
    { clientId, fields: before, written: over.content },
    // Only what is live is published over.
    { fields, base: over.unknown ? [] : fields, lastFieldId: own },
  );
  const isUsable = own !== undefined || lastFieldId === undefined;
  return {
    name,
    content: { ...content, fields: ids.fields, ...(isUsable && { lastFieldId: ids.lastFieldId }) },
  };
}
