import fc from 'fast-check';
import * as v from 'valibot';
import { StoredId } from '../../core/identifiers.ts';
import { ANY_CHARACTER } from './any-character.ts';

/**
 * The message groups that SQS accepts:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export const MESSAGE_GROUP = /^[\x21-\x7e]{1,128}$/;

/** Clients of any script and length; few enough that some of a list are equal. */
export const ODD_CLIENT = fc.oneof(
  fc.constantFrom('demo', 'Demo', 'x'.repeat(255), `${'x'.repeat(254)}y`, '\u{1f355}'.repeat(63)),
  fc
    .string({ minLength: 1, maxLength: 255, unit: ANY_CHARACTER })
    .filter((clientId) => v.is(StoredId, clientId)),
);
