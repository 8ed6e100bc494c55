import { existsSync } from 'node:fs';
import {
  type ClientState,
  type ConfigsItem,
  type StoredClient,
  unknownAttributes,
} from 'customer-data-api/clients';
import { ClientId, shortened } from 'customer-data-api/configuration';
import { briefEffects, effectSentence, effectText } from 'customer-data-api/effects';
import type { ConfigurationTables } from 'customer-data-api-deployment';
import type { Context } from 'customer-data-api-deployment/change';
import {
  columnsOf,
  type Line,
  type Output,
  paint,
  UserError,
  wrap,
} from 'customer-data-api-deployment/program';
import * as v from 'valibot';
import { findClient, readExistingClient } from '../clients/configs-table.ts';
import { stateForOperators } from '../clients/state-for-operators.ts';
import { isFileName } from '../configurations/configuration-file.ts';
import type { Differences, NamedConfiguration } from '../configurations/diff-configurations.ts';
import { giveNewIds } from '../configurations/new-ids.ts';
import { fileOf, readExistingState, storedOf } from '../configurations/stored-configuration.ts';
import { fileContent, readText } from './files.ts';
import type { VersionReference } from './version-reference.ts';

/** The lines that people are shown, and how many of them can be sentences. */
const SHOWN_LINES = 74;
const SHOWN_SENTENCE_LINES = 30;
/** The longest line of YAML that people are shown. */
const SHOWN_CHARACTERS = 300;

/** Writes differences for programs: all of them. */
export function differencesToJson({ effects, lines }: Differences) {
  return { changes: effects.map((one) => effectText(one)), lines };
}

/**
 * Writes differences for people: first the lines and last, next to a question, the sentences. Of
 * many, it writes those that matter most, and counts the others. There are none of equal
 * configurations.
 */
export function differenceLines({ effects, lines }: Differences, stream: Output): Line[] {
  const sentences = shownLines(
    briefEffects(effects).flatMap((one) => wrap(effectSentence(one), columnsOf(stream))),
    SHOWN_SENTENCE_LINES,
  );
  const shown = shownLines(lines, SHOWN_LINES - sentences.length);
  return [
    ...shown.map((line) => coloured(shortened(line, SHOWN_CHARACTERS))),
    ...(shown.length > 0 ? [''] : []),
    ...sentences,
  ];
}

function shownLines(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const left = (lines.length - most + 1).toLocaleString('en-US');
  return [...lines.slice(0, most - 1), `… and ${left} more lines; --json has all`];
}

function coloured(line: string): Line {
  const colours = { '+': 'green', '-': 'red', '@': 'cyan' } as const;
  const [sign] = line;
  return [sign && sign in colours ? paint(colours[sign as keyof typeof colours], line) : line];
}

/** One of two clients to compare. */
interface Side extends NamedConfiguration {
  /** A file has the access, the rules and the rollout of the other one. */
  readonly state: ClientState;
  readonly isFile?: boolean;
  /** The attributes beside it that the service does not know, if it is live. */
  readonly unknown?: readonly string[];
}

/**
 * Reads two configurations that an operator names, each a version, a client or a file. Without
 * `after`, compares what is live with `before`. What a file leaves to its publication is filled in
 * as if it were published over the other one.
 *
 * @throws UserError if one of them does not exist.
 */
export async function readSides(
  { deployment, tables }: Context,
  before: VersionReference | string,
  after: VersionReference | string | undefined,
): Promise<[before: Side, after: Side]> {
  const liveSide = (client: StoredClient): Side => {
    const { clientId, live, promoCodesIgnoreCase } = client;
    const { access } = stateForOperators(client, deployment);
    const state = { live, promoCodesIgnoreCase, access };
    const unknown = Object.keys(unknownAttributes(client));
    return { name: clientId, content: fileOf(clientId, live), state, unknown };
  };
  const readSide = async (side: VersionReference | string): Promise<Side> => {
    if (typeof side !== 'string') {
      const { clientId, version } = side;
      const state = await readExistingState(tables, clientId, version);
      return { name: `${clientId}@${version}`, content: fileOf(clientId, state.live), state };
    }
    const isPath = isFileName(side);
    const stored = isPath || !v.is(ClientId, side) ? undefined : await findClient(tables, side);
    if (stored) return liveSide(stored);
    if (isPath || existsSync(side)) {
      const content = fileContent(side, await readText(side));
      return { name: side, content, state: { live: storedOf(content) }, isFile: true };
    }
    throw new UserError(`${side} is not a client, a version (demo@3) or a file.`, 'noSuchClient');
  };
  const named = await readSide(before);
  const [old, fresh] =
    after === undefined
      ? [liveSide(await readExistingClient(tables, String(named.content.clientId))), named]
      : [named, await readSide(after)];
  return [
    await asPublishedOver(tables, old, fresh.isFile ? old : fresh),
    await asPublishedOver(tables, fresh, old),
  ];
}

/** Returns the configuration that a file would make of another. Anything else stays as it is. */
async function asPublishedOver(tables: ConfigurationTables, side: Side, over: Side): Promise<Side> {
  const { content, isFile } = side;
  if (!isFile) return side;
  const { clientId, fields, lastFieldId } = content;
  const state = (file: ConfigsItem) => ({ ...over.state, live: storedOf(file) });
  if (typeof clientId !== 'string' || !Array.isArray(fields))
    return { ...side, state: state(content) };
  const own = Number.isSafeInteger(lastFieldId) ? Number(lastFieldId) : undefined;
  const ids = await giveNewIds(
    tables,
    { clientId, written: over.content },
    // Only what is live is published over.
    { fields, base: over.unknown ? [] : fields, lastFieldId: own },
  );
  const isUsable = own !== undefined || lastFieldId === undefined;
  const filled = {
    ...content,
    fields: ids.fields,
    ...(isUsable && { lastFieldId: ids.lastFieldId }),
  };
  return { ...side, content: filled, state: state(filled) };
}
