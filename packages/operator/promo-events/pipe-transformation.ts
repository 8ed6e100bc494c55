import type { PipeDefinition } from 'customer-data-api/stack';
import { readEventPattern } from './pipe.ts';

/** An entry of `PutEvents`, as a pipe makes it. A path without a value omits its property. */
export interface EventEntry {
  readonly source: string;
  readonly detailType: string | undefined;
  /** `detail` as JSON. */
  readonly detail: string;
}

/**
 * Turns stream records into events, as an EventBridge pipe does. It supports only what our pipes
 * use: a plain source, a detail type that is one path, and a template in which each path stands for
 * a whole JSON value.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html
 *
 * @returns a function from a record to its event; undefined if the filters drop the record.
 * @throws UserError if a filter is not supported, Error if another part is not.
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
/** A path in angle brackets that stands for a whole JSON value, not for part of a string. */
const VARIABLE = /(?<=[:,[{])<(\$(?:\.\w+)+)>(?=[,\]}])/g;

function valueAt(record: unknown, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce((value: unknown, name) => Object(value)[name], record);
}
