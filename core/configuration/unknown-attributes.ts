import { type ConfigsItem, meantAttribute } from '../client-attributes.ts';
import { closestName, folded } from '../closest-name.ts';
import type { Finding } from '../finding.ts';
import { ATTRIBUTES, INPUTS } from './attributes.ts';
import { attributeOf, isMap, listOf, mapIn } from './stored-map.ts';

type Path = Finding['path'];

/** An attribute that the service does not know and does not serve. */
export interface UnknownAttribute {
  /** Keys and indexes below the client's item. */
  readonly path: Path;
  /** The known attribute that it resembles. */
  readonly meant: string | undefined;
}

/** Finds the attributes of a client's item that the service does not know, beside its fields. */
export function unknownInItem(item: ConfigsItem): UnknownAttribute[] {
  return unknownOf(item, ATTRIBUTES.client, []).map((path) => {
    const attribute = { path, meant: meantAttribute(String(path[0])) };
    return isAnother(attribute, item) ? { path, meant: undefined } : attribute;
  });
}

/**
 * True for a name derived from a known one, such as `fieldsOld`, and for one like the key, which no
 * item lacks: not a misspelling to remove. Without the list of app clients, one like it was meant.
 */
function isAnother({ path: [name], meant }: UnknownAttribute, item: unknown): boolean {
  if (meant === undefined) return false;
  if (meant === 'clientId' && attributeOf(item, meant) !== undefined) return true;
  if (meant === 'userPoolClientIds' && attributeOf(item, meant) === undefined) return false;
  const [own, known] = [folded(String(name)), folded(meant)];
  return own !== known && own.includes(known);
}

/** Finds what an unknown attribute of a field, at any depth, was probably meant to be. */
export function unknownInField(path: Path, field: Path): UnknownAttribute {
  const known = ATTRIBUTES[kindOfPlace(path.slice(field.length))];
  return { path, meant: closestName(String(path.at(-1)), known, 1 / 2) };
}

/** Finds where a stored field has attributes that the service does not know, at any depth. */
export function unknownPaths(field: unknown, path: Path): Path[] {
  return [
    ...unknownOf(field, ATTRIBUTES.field, path),
    ...Object.entries(mapIn(field, 'translations')).flatMap(([tag, translation]) => {
      const below = [...path, 'translations', tag];
      return [
        ...unknownOf(translation, ATTRIBUTES.translation, below),
        ...INPUTS.flatMap((name) =>
          unknownOf(mapIn(translation, name), ATTRIBUTES.translatedInput, [...below, name]),
        ),
      ];
    }),
    ...INPUTS.flatMap((name) => {
      const subField = attributeOf(field, name);
      const below = [...path, name];
      return [
        ...unknownOf(subField, ATTRIBUTES.input, below),
        ...listOf(attributeOf(subField, 'optionsArray')).flatMap((option, index) =>
          unknownOf(option, ATTRIBUTES.option, [...below, 'optionsArray', index]),
        ),
      ];
    }),
  ];
}

function unknownOf(map: unknown, known: readonly string[], path: Path): Path[] {
  if (!isMap(map)) return [];
  return Object.keys(map)
    .filter((name) => !known.includes(name))
    .map((name) => [...path, name]);
}

type Place = Exclude<keyof typeof ATTRIBUTES, 'client'>;

/** The kind of place by the length of its path below a field: `subFieldA.maxChars` has 2. */
const PLACES: Readonly<Record<number, Place>> = { 1: 'field', 2: 'input', 4: 'option' };
const TRANSLATED: typeof PLACES = { 3: 'translation', 4: 'translatedInput' };
const PLACE_NAMES: Readonly<Record<Place, string>> = {
  field: 'a field',
  input: 'subFieldA and subFieldB',
  option: 'an option',
  translation: 'a translation',
  translatedInput: 'subFieldA and subFieldB of a translation',
};
const IN_PLACES: Readonly<Record<Place, string>> = {
  field: 'in the field',
  input: 'in subFieldA or subFieldB',
  option: 'in an option',
  translation: 'in a translation',
  translatedInput: 'in subFieldA or subFieldB of a translation',
};

function kindOfPlace(below: Path): Place {
  return (below[0] === 'translations' ? TRANSLATED : PLACES)[below.length] ?? 'field';
}

/**
 * Reports an attribute that is not served. Beside the fields, operators may keep their own
 * attributes; inside a field, every attribute is meant for apps.
 */
export function unknownFinding({ path, meant }: UnknownAttribute): Finding {
  if (meant !== undefined) {
    const message = `is an unknown attribute. Did you mean ${meant}?`;
    return { severity: 'error', code: 'misspelledAttribute', path, message };
  }
  if (path.length > 1) return { severity: 'error', path, ...whatIsKnown(path) };
  const message = 'is an unknown attribute, which the service ignores';
  return { severity: 'warning', code: 'unknownAttribute', path, message };
}

/** Describes an attribute below a field that resembles none known at its place. */
function whatIsKnown(path: Path): Pick<Finding, 'code' | 'message'> {
  const place = kindOfPlace(path.slice(['fields', 0].length));
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
