import { type Finding, findingText, languageName } from 'customer-data-api/configuration';
import { ATTRIBUTES, TEXTS } from '../texts.ts';

/** Names what a finding is about: the caption of the field, and the control. */
export function placeOf({ code, fieldName, path: [...path] }: Finding): string {
  if (path[0] === 'fields') path.splice(0, 2);
  const [, list, index] = path;
  const isOption = list === 'optionsArray' && typeof index === 'number';
  const name = isOption ? `Option ${index + 1}` : !isOfName(code) && labelOf(path);
  const place = [fieldName && `“${fieldName}”`, name].filter(Boolean).join(', ');
  return place && `${place}: `;
}

/** True for what is wrong with the name of an attribute, rather than with its value. */
function isOfName(code: Finding['code']): boolean {
  return code.endsWith('Attribute');
}

/** Names an attribute as its control does, without the explanation; empty for a field itself. */
export function labelOf(path: Finding['path']): string {
  const labels: Readonly<Record<string, string>> = ATTRIBUTES;
  const at = path.indexOf('translations');
  if (at !== -1 && path.length > at + 1) {
    const [tag, ...rest] = path.slice(at + 1);
    const language = languageName(`${tag}`);
    const isOption = rest[1] === 'options' && rest.length > 2;
    const label = isOption ? `Option with the value “${rest[2]}”` : labelOf(rest);
    return label ? TEXTS.in(label, language) : language;
  }
  const name = path.findLast((key) => Object.hasOwn(labels, key)) ?? path.at(-1) ?? '';
  const known = Object.hasOwn(labels, name) ? labels[name] : undefined;
  const [label] = (known ?? `${name}`).split(/,| \(/);
  return label ?? '';
}

/** Writes a finding for somebody who sees its control. */
export function sentenceOf({ code, path, message }: Finding, lines?: readonly number[]): string {
  if (code === 'missing' && path.at(-1) === 'maxChars') {
    return 'Enter the longest answer, such as 50.';
  }
  const [, neither] = /^must be true or false, not (.*)$/.exec(message) ?? [];
  if (neither !== undefined) {
    return `This is ${neither}, neither on nor off. Tick it; to turn it off, untick it again.`;
  }
  if (code === 'duplicateId') {
    return 'An earlier field has the same id, so apps show only that one. Duplicate this field, and remove it.';
  }
  if (code === 'unknownAttribute') {
    return `“${path.at(-1)}” is an attribute that no app knows. Remove it.`;
  }
  const index = path.find((key) => typeof key === 'number');
  const line = index === undefined ? undefined : lines?.[index];
  const place =
    path.at(-1) === 'value' ? 'The value' : line === undefined ? 'This' : `Line ${line}`;
  const name = isOfName(code) ? `“${path.at(-1)}”` : place;
  const hasNoSubject = /^(is|must|has|begins) /.test(message);
  const text = hasNoSubject ? `${name} ${message}` : message;
  return findingText({ path: [], message: text.charAt(0).toUpperCase() + text.slice(1) });
}
