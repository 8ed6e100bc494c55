import { type ConfigsItem, meantAttribute } from '../client-attributes.ts';
import { closestName, folded } from '../closest-name.ts';
import { error, type Finding, warning } from '../finding.ts';
import { ATTRIBUTES, INPUTS } from './attributes.ts';
import { attributeOf, isMap, listOf, mapIn } from './stored-map.ts';

type Path = Finding['path'];

/** An attribute that the service does not know and does not serve. */
export interface UnknownAttribute {
  /** Keys and indexes below the client's item, or below a field. */
  readonly path: Path;
  /** Its place in a field. Undefined beside the fields. */
  readonly place?: Place;
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
export function unknownInField(path: Path): UnknownAttribute {
  const place = placeOf(path);
  return { path, place, meant: closestName(String(path.at(-1)), ATTRIBUTES[place], 1 / 2) };
}

/** Finds where a stored field has attributes that the service does not know, at any depth. */
export function unknownPaths(field: unknown): Path[] {
  return [
    ...unknownOf(field, ATTRIBUTES.field, []),
    ...Object.entries(mapIn(field, 'translations')).flatMap(([tag, translation]) => {
      const below = ['translations', tag];
      return [
        ...unknownOf(translation, ATTRIBUTES.translation, below),
        ...INPUTS.flatMap((name) =>
          unknownOf(mapIn(translation, name), ATTRIBUTES.translatedInput, [...below, name]),
        ),
      ];
    }),
    ...INPUTS.flatMap((name) => {
      const subField = attributeOf(field, name);
      return [
        ...unknownOf(subField, ATTRIBUTES.input, [name]),
        ...listOf(attributeOf(subField, 'optionsArray')).flatMap((option, index) =>
          unknownOf(option, ATTRIBUTES.option, [name, 'optionsArray', index]),
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

function placeOf(path: Path): Place {
  return (path[0] === 'translations' ? TRANSLATED : PLACES)[path.length] ?? 'field';
}

/**
 * Reports an attribute that is not served. Beside the fields, operators may keep their own
 * attributes; inside a field, every attribute is meant for apps.
 */
export function unknownFinding({ path, meant, place }: UnknownAttribute): Finding {
  const unknown = 'is an unknown attribute';
  if (meant !== undefined) {
    return error('misspelledAttribute', path, `${unknown}. Did you mean ${meant}?`);
  }
  if (place === undefined) {
    return warning('unknownAttribute', path, `${unknown}, which the service ignores`);
  }
  const name = String(path.at(-1));
  for (const other of (Object.keys(PLACE_NAMES) as Place[]).filter((one) => one !== place)) {
    const known = closestName(name, ATTRIBUTES[other], 1 / 2);
    if (known === undefined) continue;
    const belongs = `belongs ${IN_PLACES[other]}, not ${IN_PLACES[place]}`;
    const message = known === name ? belongs : `${unknown}. Did you mean ${known}? It ${belongs}`;
    return error('misplacedAttribute', path, message);
  }
  const known = ATTRIBUTES[place].join(', ');
  return error('unknownAttribute', path, `${unknown}; ${PLACE_NAMES[place]} can have ${known}`);
}
