import type { PipeDefinition } from '../../core/promo-events/published-events.ts';
import { readEventPattern } from './event-pattern.ts';

/** An entry of `PutEvents`, as a pipe makes it. A path without a value leaves its property out. */
export interface EventEntry {
  readonly source: string;
  readonly detailType: string | undefined;
  /** `detail` as JSON. */
  readonly detail: string;
}

/**
 * Turns records of a stream into events, as a pipe of EventBridge does. It supports what the pipes
 * of this project use: a source in plain text, a detail type that is one path, and a template in
 * which a path stands for a whole JSON value.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
 *
 * @returns a function from a record to its event; undefined if the filters leave the record out.
 * @throws UserError when a filter is not supported.
 * @throws Error when the rest of the definition has other forms.
 */
export function transformation({ filters, source, detailType, inputTemplate }: PipeDefinition) {
  const patterns = filters.map(readEventPattern);
  const others = inputTemplate.replace(VARIABLE, '');
  if (source.startsWith('$') || !PATH.test(detailType) || /[<>]|"[^"]*\$/.test(others)) {
    throw new Error(
      `The local server does not know this form of a pipe: ${source}, ${detailType}, ${inputTemplate}`,
    );
  }
  return (record: unknown): EventEntry | undefined => {
    if (patterns.length > 0 && !patterns.some((matches) => matches(record))) return undefined;
    const type = valueAt(record, detailType);
    return {
      source,
      detailType: typeof type === 'string' ? type : undefined,
      detail: inputTemplate.replace(VARIABLE, (_, path: string) =>
        JSON.stringify(valueAt(record, path)),
      ),
    };
  };
}

/** A path to one value, without lists. */
const PATH = /^\$(?:\.\w+)+$/;
/** A path in angle brackets that is a JSON value of its own, not a part of a string. */
const VARIABLE = /(?<=[:,[{])<(\$(?:\.\w+)+)>(?=[,\]}])/g;

function valueAt(record: unknown, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce((value: unknown, name) => Object(value)[name], record);
}
