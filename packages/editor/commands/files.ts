import type { Readable } from 'node:stream';
import type { ConfigsItem } from 'customer-data-api/clients';
import { counted, countFindings, type Finding, isMap } from 'customer-data-api/configuration';
import { readTextFile, UserError } from 'customer-data-api-deployment/program';
import { errorFirst, findingsIn, lineOf } from '../configurations/check.ts';
import { parseConfigurationFile } from '../configurations/configuration-file.ts';
import type { Review } from '../configurations/review-plan.ts';

/** Reads the text of a configuration file, or with `stdin`, of `-`. */
export function readText(file: string, stdin?: Readable): Promise<string> {
  return readTextFile('The configuration', file, stdin);
}

/**
 * Returns the content of a configuration file, which may have mistakes.
 *
 * @throws UserError if its text is not a map in YAML.
 */
export function fileContent(file: string, text: string): ConfigsItem {
  const { findings, file: parsed } = parseConfigurationFile(text);
  if (findings.length === 0 && isMap(parsed?.content)) return parsed.content;
  const lines = findings.map(
    ({ line, column, message }) => `${file}:${line}:${column} ${message}.`,
  );
  throw new UserError(
    lines.join('\n') || `${file} must be a map with clientId, lastFieldId and fields.`,
    'invalidConfiguration',
  );
}

const EXAMPLES = '\nexamples/fields has a field of each kind with all attributes.';

/** Prints a line about a finding. */
type Print = (line: string, finding: Finding) => void;

/**
 * Checks the text of a configuration file, and prints each finding in a line of its own.
 *
 * @param summarize receives the number of findings, if none is an error.
 * @param mayBeMerged if true, errors in fields are returned: a merge may replace these.
 * @throws UserError if the file has other errors.
 */
export function checkText(
  file: string,
  text: string,
  print: Print,
  summarize: (line: string) => void,
  mayBeMerged = false,
): UserError | undefined {
  const findings = findingsIn(parseConfigurationFile(text));
  for (const finding of findings) {
    const { line, column } = finding;
    print(`${file}:${line}:${column} ${lineOf(finding)}`, finding);
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  const summary = errors.some(({ code }) => code === 'syntax')
    ? `${counted(errors.length, 'error')}. The rest of the file was not checked.`
    : summaryOf(findings);
  if (errors.length === 0) {
    summarize(summary);
    return undefined;
  }
  const isMissing = errors.some(({ code, path }) => code === 'missing' && path.length > 1);
  const refusal = new UserError(`${summary}${isMissing ? EXAMPLES : ''}`, 'invalidConfiguration');
  if (mayBeMerged && errors.every(({ path }) => path[0] === 'fields' && path.length > 1)) {
    return refusal;
  }
  throw refusal;
}

/** Prints the findings of the result of a merge or a rollback, which is in no file. */
export function printFindings(
  name: string,
  { findings }: Pick<Review, 'findings'>,
  print: Print,
  summarize: (line: string) => void,
): void {
  for (const finding of findings.toSorted(errorFirst)) {
    print(`${name}: ${lineOf(finding)}`, finding);
  }
  summarize(`${name}: ${summaryOf(findings)}`);
}

/** Prints the first findings only: the summary that follows counts all. */
export function printFirst(most: number, print: Print): Print {
  let printed = 0;
  return (line, finding) => {
    printed += 1;
    if (printed <= most) print(line, finding);
    else if (printed === most + 1) print('… and more, which are counted below', finding);
  };
}

/** Prints findings as lines, or as JSON documents. */
export function findingsTo(print: (line: string) => void, json = false): Print {
  return (line, finding) => print(json ? JSON.stringify(finding) : line);
}

function summaryOf(findings: readonly Finding[]): string {
  const { errors, warnings } = countFindings(findings);
  return `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`;
}
