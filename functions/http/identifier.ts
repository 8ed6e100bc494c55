import * as v from 'valibot';
import { text } from './text.ts';

const MAX_BYTES = 255;

/**
 * An identifier that becomes part of a key in DynamoDB. The bound is in bytes of UTF-8, since that is what bounds keys:
 * percent-encoded, a user and a promo code fit into the 1024 bytes of a sort key together.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export function identifier() {
  return v.pipe(
    text(1, MAX_BYTES),
    v.maxBytes(MAX_BYTES, `must have at most ${MAX_BYTES} bytes in UTF-8`),
  );
}
