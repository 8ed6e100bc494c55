import { OPTIONAL_HEADERS } from './request-headers.ts';

/** The ranges that count, from the first: phones send a few. */
const MAX_RANGES = 20;
const MAX_CHARACTERS = 1000;
// RFC 9110 section 12.5.4: a basic language range (RFC 4647 section 2.1) with a weight. Programs
// write weights as they compute them, such as 0.7000000000000001 and 1.1e-16.
const RANGE =
  /^(\*|[a-z]{1,8}(?:-[a-z\d]{1,8}){0,15})(?:[ \t]*;[ \t]*q=(\d+(?:\.\d*)?(?:e[+-]?\d+)?))?$/i;
/** The most characters of a malformed member in a warning. */
const MAX_QUOTED = 35;

/** The languages that a customer reads, best first, and those that they refuse. */
export interface AcceptedLanguages {
  readonly ranges: readonly string[];
  readonly refused: readonly string[];
}

/** The languages in a header, and a sentence for the caller if a part of it was ignored. */
interface ReadLanguages extends AcceptedLanguages {
  readonly warning?: string;
}

/** Reads the values of `Accept-Language`, which count as one list, without malformed members. */
export function readAcceptLanguage(values: readonly string[]): ReadLanguages {
  const list = values.join();
  if (list.length > MAX_CHARACTERS) {
    const warning = `The header ${OPTIONAL_HEADERS.acceptLanguage.name} was ignored: it has more than ${MAX_CHARACTERS} characters.`;
    return { ranges: [], refused: [], warning };
  }
  const weighted: { readonly range: string; readonly weight: number }[] = [];
  const malformed: string[] = [];
  for (const member of list.split(',').map((one) => one.trim())) {
    const [, range, written = '1'] = RANGE.exec(member) ?? [];
    const weight = Number(written);
    if (range !== undefined && weight <= 1) weighted.push({ range, weight });
    else if (member !== '') malformed.push(member);
  }
  // `*` stands for any other language, and without a match the response has the default anyway.
  const counted = weighted.slice(0, MAX_RANGES).filter(({ range }) => range !== '*');
  return {
    ranges: counted
      .filter(({ weight }) => weight > 0)
      .toSorted((one, other) => other.weight - one.weight)
      .map(({ range }) => range),
    refused: counted.filter(({ weight }) => weight === 0).map(({ range }) => range),
    ...warningOf(malformed),
  };
}

/** Names the first malformed member. Its characters may be bytes of any encoding. */
function warningOf([first, ...others]: readonly string[]): Pick<ReadLanguages, 'warning'> {
  if (first === undefined) return {};
  const ascii = first.replaceAll(/[^ -~]/g, '?');
  const member = ascii.length > MAX_QUOTED ? `${ascii.slice(0, MAX_QUOTED)}...` : ascii;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return {
    warning: `The header ${OPTIONAL_HEADERS.acceptLanguage.name} has a malformed part that was ignored: ${member}${more}.`,
  };
}
