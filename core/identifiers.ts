import * as v from 'valibot';
import { codePointsOf, text } from './text.ts';

const MAX_BYTES = 255;

/**
 * An identifier of a client or a user, which becomes part of a key in DynamoDB. The bound is in bytes of UTF-8, since that is what bounds keys:
 * percent-encoded, a user and a promo code fit into the 1024 bytes of a sort key together.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const identifier = v.pipe(
  text(1, MAX_BYTES),
  v.check(
    // Of one that has too many characters, that has been said.
    (value) => Buffer.byteLength(value) <= MAX_BYTES || codePointsOf(value) > MAX_BYTES,
    `must have at most ${MAX_BYTES} bytes in UTF-8`,
  ),
);

/** Names a client in every request. */
export const ClientId = v.pipe(
  identifier,
  v.description(
    `Client identifier issued for the app project; at most ${MAX_BYTES} bytes in UTF-8.`,
  ),
  v.examples(['demo']),
);

/** Names a user of the app. */
export const UserId = v.pipe(
  identifier,
  v.description(
    `Identifies the user, from the user record of the getUser operation; at most ${MAX_BYTES} bytes in UTF-8. The ID token has to be this user's.`,
  ),
  v.examples(['demo-user']),
);
