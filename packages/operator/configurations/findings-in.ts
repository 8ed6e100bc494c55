import { type Finding, findingText, withFieldNames } from 'customer-data-api/configuration';
import { checkFile } from './check.ts';
import {
  type ConfigurationFile,
  type PlacedFinding,
  parseConfigurationFile,
} from './configuration-file.ts';

/** Finds what is wrong in a file's text: errors first, then warnings, each from top to bottom. */
export function findingsIn(text: string): PlacedFinding[] {
  const { findings, file } = parseConfigurationFile(text);
  if (!file) return [...findings];
  const { content, cutTexts, positionOf } = file;
  const cut = withFieldNames(cutTexts, Object(content).fields);
  const placed = [...checkFile(content), ...cut].map((finding) => ({
    ...finding,
    ...inYaml(finding, file),
    ...positionOf(finding.path),
  }));
  return [...findings, ...placed].toSorted(
    (one, other) => errorFirst(one, other) || one.line - other.line || one.column - other.column,
  );
}

/** What to write for a text that YAML takes for something else. */
function inYaml({ code, path }: Finding, { sourceOf, wholeText }: ConfigurationFile) {
  if (code === 'notAString') {
    const source = sourceOf(path);
    return source && { message: `must be a string; put it in quotes: ${JSON.stringify(source)}` };
  }
  if (!code.endsWith('Attribute')) return undefined;
  if (path.at(-1) === '<<') return { message: 'is not supported; repeat the attributes here' };
  const whole = wholeText(path);
  return whole && { message: `follows a comma, which ends the text; put it in quotes: ${whole}` };
}

/** Sorts errors before warnings. */
export function errorFirst(one: Finding, other: Finding): number {
  return Number(one.severity === 'warning') - Number(other.severity === 'warning');
}

/** A finding in a line: `error: fields[1].subFieldA.maxChars: must be at least 1.` */
export function lineOf(finding: Finding): string {
  return `${finding.severity}: ${findingText(finding)}`;
}
