import type * as v from 'valibot';
import { CLIENT_ATTRIBUTES, type ConfigsItem, meantAttribute } from '../client-attributes.ts';
import { closestName, folded } from '../closest-name.ts';
import type { Finding } from '../finding.ts';
import { isMap } from './complete-field.ts';
import { ComboField, DropField, DropSubField, Option, TextField, TextSubField } from './field.ts';

/** An attribute that the service does not know and does not serve. */
export interface UnknownAttribute {
  /** Keys and indexes below the client's item. */
  readonly path: readonly (string | number)[];
  /** The known attribute that it resembles. */
  readonly meant: string | undefined;
}

const namesOf = (...schemas: readonly { readonly entries: v.ObjectEntries }[]) => [
  ...new Set(schemas.flatMap(({ entries }) => Object.keys(entries))),
];

/** The attributes that the service knows, in a client's item and the maps in it. */
export const ATTRIBUTES = {
  client: CLIENT_ATTRIBUTES,
  field: namesOf(TextField, DropField, ComboField),
  input: namesOf(TextSubField, DropSubField),
  option: namesOf(Option),
} as const satisfies Record<string, readonly string[]>;

/** Finds the attributes of a client's item that the service does not know, beside its fields. */
export function unknownInItem(item: ConfigsItem): UnknownAttribute[] {
  return unknownOf(item, ATTRIBUTES.client, [], meantAttribute).map((attribute) =>
    isAnother(attribute, item) ? { ...attribute, meant: undefined } : attribute,
  );
}

/**
 * True for a name derived from a known one, such as `fieldsOld`, and for one like the key, which no
 * item lacks: not a misspelling to remove.
 */
function isAnother({ path: [name], meant }: UnknownAttribute, item: unknown): boolean {
  if (meant === undefined) return false;
  if (meant === 'clientId' && attributeOf(item, meant) !== undefined) return true;
  const [own, known] = [folded(String(name)), folded(meant)];
  return own !== known && own.includes(known);
}

/**
 * Finds the attributes of a stored field that the service does not know, at any depth.
 *
 * @param path the field.
 */
export function unknownInField(field: unknown, path: UnknownAttribute['path']): UnknownAttribute[] {
  return [
    ...unknownOf(field, ATTRIBUTES.field, path),
    ...['subFieldA', 'subFieldB'].flatMap((name) => {
      const subField = attributeOf(field, name);
      const below = [...path, name];
      return [
        ...unknownOf(subField, ATTRIBUTES.input, below),
        ...listOf(subField, 'optionsArray').flatMap((option, index) =>
          unknownOf(option, ATTRIBUTES.option, [...below, 'optionsArray', index]),
        ),
      ];
    }),
  ];
}

function unknownOf(
  map: unknown,
  known: readonly string[],
  path: UnknownAttribute['path'],
  meantBy = (name: string) => closestName(name, known, 1 / 2),
): UnknownAttribute[] {
  if (!isMap(map)) return [];
  return Object.keys(map)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [...path, name], meant: meantBy(name) }));
}

function attributeOf(map: unknown, name: string): unknown {
  return isMap(map) && Object.hasOwn(map, name) ? map[name] : undefined;
}

function listOf(map: unknown, name: string): readonly unknown[] {
  const value = attributeOf(map, name);
  return Array.isArray(value) ? value : [];
}

type Place = Exclude<keyof typeof ATTRIBUTES, 'client'>;

/** The kind of place by the length of its path: `fields[0].subFieldA.maxChars` has 4. */
const PLACES: Readonly<Record<number, Place>> = { 3: 'field', 4: 'input', 6: 'option' };
const PLACE_NAMES: Readonly<Record<Place, string>> = {
  field: 'a field',
  input: 'subFieldA and subFieldB',
  option: 'an option',
};
const IN_PLACES: Readonly<Record<Place, string>> = {
  field: 'in the field',
  input: 'in subFieldA or subFieldB',
  option: 'in an option',
};

/** Describes an attribute below a field that resembles none known at its place. */
export function whatIsKnown(path: UnknownAttribute['path']): Pick<Finding, 'code' | 'message'> {
  const place = PLACES[path.length] ?? 'field';
  const others = (Object.keys(PLACE_NAMES) as Place[]).filter((other) => other !== place);
  for (const other of others) {
    const name = String(path.at(-1));
    const meant = closestName(name, ATTRIBUTES[other], 1 / 2);
    const belongs = `belongs ${IN_PLACES[other]}, not ${IN_PLACES[place]}`;
    if (meant === name) return { code: 'misplacedAttribute', message: belongs };
    if (meant !== undefined) {
      const message = `is an unknown attribute. Did you mean ${meant}? It ${belongs}`;
      return { code: 'misplacedAttribute', message };
    }
  }
  const message = `is an unknown attribute; ${PLACE_NAMES[place]} can have ${ATTRIBUTES[place].join(', ')}`;
  return { code: 'unknownAttribute', message };
}
