import type { StoredConfiguration } from 'customer-data-api/clients';
import {
  attributeOf,
  type InputName,
  idOf,
  inputsOf,
  isPreview,
  listOf,
  mapOf,
} from 'customer-data-api/configuration';
import { type Effect, optionHadValue } from 'customer-data-api/effects';
import {
  listVersions,
  readVersion,
  type VersionsTable,
  writtenFields,
} from 'customer-data-api/history';

/** The newest contents in which options are looked for: each takes a read. */
const MOST_CONTENTS = 30;

/** An option of an input. */
interface InputOption {
  /** The id of the field. */
  readonly id: string;
  readonly input: InputName;
  readonly value: string;
  readonly display: string;
}

/** Reads the options that fields had in the newest contents, the newest first, each once. */
export async function readEarlierOptions(
  table: VersionsTable,
  clientId: string,
  ids: readonly string[],
): Promise<readonly InputOption[]> {
  const found = new Map<string, InputOption>();
  const read = new Set<string>();
  for await (const { version, rollout, digest, isDeleted, isTooLarge } of listVersions(
    table,
    clientId,
  )) {
    // Nobody has answered what a preview shows.
    const candidate = rollout && !isPreview(rollout) ? rollout.digest : '';
    if (read.has(`${digest} ${candidate}`) || isDeleted || isTooLarge) continue;
    if (read.size === MOST_CONTENTS) break;
    read.add(`${digest} ${candidate}`);
    const stored = await readVersion(table, clientId, version);
    const contents = [(candidate && stored?.candidate) || {}, stored?.content ?? {}];
    const fields = contents.flatMap(writtenFields);
    const own = fields.filter((field) => ids.includes(idOf(field) ?? ''));
    for (const option of own.flatMap(optionsIn)) {
      const key = JSON.stringify(option);
      if (!found.has(key)) found.set(key, option);
    }
  }
  return [...found.values()];
}

function optionsIn(field: unknown): InputOption[] {
  const id = idOf(field) ?? '';
  return inputsOf(field).flatMap((input) =>
    listOf(attributeOf(attributeOf(field, input), 'optionsArray')).flatMap((option) => {
      const { value, display } = mapOf(option);
      const isOption = typeof value === 'string' && typeof display === 'string';
      return isOption ? [{ id, input, value, display }] : [];
    }),
  );
}

/**
 * Finds new options whose texts had another value, by which customers chose them. A text that is
 * live is no new one, and a value that another option has by now is not missed.
 *
 * @param ids the fields that can have had options.
 */
export async function returnedOptions(
  table: VersionsTable,
  clientId: string,
  [before, after]: readonly [StoredConfiguration, StoredConfiguration],
  ids: readonly string[],
): Promise<readonly Effect[]> {
  const fields = writtenFields(after.content).filter((field) => ids.includes(idOf(field) ?? ''));
  const [live, own] = [writtenFields(before.content), fields].map((all) => all.flatMap(optionsIn));
  const [values, texts] = [keysBy('value', live), keysBy('display', live)];
  const added = own?.filter(
    (one) => !values.has(keyOf('value', one)) && !texts.has(keyOf('display', one)),
  );
  if (!added?.length) return [];
  const earlier = await readEarlierOptions(table, clientId, [
    ...new Set(added.map(({ id }) => id)),
  ]);
  const last = new Map(earlier.toReversed().map((one) => [keyOf('display', one), one]));
  const now = keysBy('value', own);
  return added.flatMap((option) => {
    const was = last.get(keyOf('display', option));
    if (!was || now.has(keyOf('value', was))) return [];
    const field = mapOf(fields.find((one) => idOf(one) === option.id));
    return [optionHadValue(field, option.input, was)];
  });
}

function keysBy(name: 'value' | 'display', options: readonly InputOption[] = []) {
  return new Set(options.map((one) => keyOf(name, one)));
}

function keyOf(name: 'value' | 'display', option: InputOption): string {
  return JSON.stringify([option.id, option.input, option[name]]);
}
