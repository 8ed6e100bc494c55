import { closestName } from '../../core/closest-name.ts';
import type { Finding } from '../../core/configuration/check-configuration.ts';
import { ATTRIBUTES, unknownAttributes } from '../../core/configuration/unknown-attributes.ts';

type Place = keyof typeof ATTRIBUTES;

/** Where an attribute is, by the length of its path, such as `fields[0].subFieldA.maxChars`. */
const PLACES: Readonly<Record<number, Place>> = {
  1: 'client',
  3: 'field',
  4: 'input',
  6: 'option',
};
const NAMES: Readonly<Record<Place, string>> = {
  client: 'the file',
  field: 'a field',
  input: 'subFieldA and subFieldB',
  option: 'an option',
};

/**
 * Turns findings about attributes that the service does not know into errors. In an item, somebody may keep a note of their
 * own; in a file, everything is meant to be published.
 */
export function strictAboutUnknown(item: unknown, findings: readonly Finding[]): Finding[] {
  const unknown = new Map(
    unknownAttributes(item).map(({ path, meant }) => [JSON.stringify(path), meant]),
  );
  return findings.map((finding) => {
    const key = JSON.stringify(finding.path);
    if (!unknown.has(key)) return finding;
    const { path } = finding;
    const message = unknown.get(key) === undefined ? describeUnknown(path) : finding.message;
    return { severity: 'error', path, message };
  });
}

/** Says what is known, of an attribute whose name resembles none that is known at its place. */
function describeUnknown(path: Finding['path']): string {
  const place = PLACES[path.length] ?? 'client';
  const places = Object.keys(ATTRIBUTES) as Place[];
  for (const other of places.filter((one) => one !== place && one !== 'client')) {
    const meant = closestName(String(path.at(-1)), ATTRIBUTES[other], 1 / 2);
    if (meant !== undefined) {
      return `is not an attribute of ${NAMES[place]}; ${meant} is one of ${NAMES[other]}`;
    }
  }
  const known =
    place === 'client' ? ['clientId', 'base', 'lastFieldId', 'fields'] : ATTRIBUTES[place];
  return `is not an attribute that the service knows; ${NAMES[place]} can have ${known.join(', ')}`;
}
