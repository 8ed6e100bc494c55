import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { readExistingVersion } from '../../../admin/configuration/plan-change.ts';
import {
  type ConfigurationTables,
  fileOf,
  findStored,
  readStored,
  type StoredConfiguration,
} from '../../../admin/configuration/stored-configuration.ts';
import { newestVersion } from '../../../core/history/versions-table.ts';
import { ClientId } from '../../../core/identifiers.ts';
import { UserError } from '../../../core/user-error.ts';
import type { Named } from './diff.ts';
import { identified, isFileName, readDraft, readText } from './draft.ts';
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
  const first = await readSide(tables, before);
  const old = after === undefined ? await readLive(tables, first) : first;
  const fresh = after === undefined ? first : await readSide(tables, after);
  return [
    old.isFile ? await published(tables, old, fresh.isFile ? old : fresh) : old,
    fresh.isFile ? await published(tables, fresh, old) : fresh,
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

/** Reads what is live of the client of a file or a version. */
async function readLive(tables: ConfigurationTables, { content }: Side): Promise<Side> {
  const clientId = String(content.clientId);
  return live(await readStored(tables, clientId));
}

function live(stored: StoredConfiguration): Side {
  const { clientId, unknown = [] } = stored;
  return { name: clientId, content: fileOf(stored), unknown };
}

async function published(tables: ConfigurationTables, file: Side, over: Named): Promise<Named> {
  const { content } = file;
  const before = over.content.lastFieldId;
  const { lastFieldId = before } = content;
  const isHigher = Number(before) > Number(lastFieldId);
  const newest =
    typeof content.clientId === 'string'
      ? await newestVersion(tables, content.clientId)
      : undefined;
  return {
    name: file.name,
    content: identified(content, isHigher ? before : lastFieldId, newest?.highestId),
  };
}
