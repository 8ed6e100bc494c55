import { newestEvents } from 'customer-data-api-on-call/browser';
import type { Codes } from '../answers.ts';

/** Joins what was found earlier with the rest. */
export function joined(earlier: Codes | undefined, rest: Codes): Codes {
  if (!earlier) return rest;
  return {
    ...rest,
    events: newestEvents([...earlier.events, ...rest.events]),
    found: earlier.found + rest.found,
    applied: earlier.applied + rest.applied,
    repeated: earlier.repeated + rest.repeated,
    read: earlier.read + rest.read,
  };
}
