import * as v from 'valibot';
import { codePointsOf, NOT_SENT, sentInUtf8, storable, UUID } from './text.ts';

/**
 * The longest client or user id, in bytes of UTF-8, as DynamoDB counts. Percent-encoded, a user and
 * a promo code must fit into a sort key of 1,024 bytes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const IDENTIFIER_MAX_BYTES = 255;
/** Characters that always fit: UTF-8 needs at most four bytes for one. */
const SAFE_LENGTH = Math.floor(IDENTIFIER_MAX_BYTES / 4);

/**
 * An id of a client or user that is stored: each release has accepted it. Requests may have less,
 * but what they had must be found, moved and erased.
 */
export const StoredId = v.pipe(
  v.string('must be a string'),
  ...storable(1, IDENTIFIER_MAX_BYTES),
  v.check(
    // The length check already reports too many characters.
    (value) =>
      Buffer.byteLength(value) <= IDENTIFIER_MAX_BYTES ||
      codePointsOf(value) > IDENTIFIER_MAX_BYTES,
    `must have at most ${IDENTIFIER_MAX_BYTES} bytes in UTF-8`,
  ),
);

const identifier = v.pipe(
  StoredId,
  sentInUtf8(),
  // JSON Schema cannot count bytes: the pattern is exact for ASCII, and stricter for other strings.
  v.metadata({ pattern: `^([ -~]{1,${IDENTIFIER_MAX_BYTES}}|[^${NOT_SENT}]{1,${SAFE_LENGTH}})$` }),
);

/** Names a client in every request. */
export const ClientId = v.pipe(
  identifier,
  v.description(
    `Client identifier issued for the app project; at most ${IDENTIFIER_MAX_BYTES} bytes in UTF-8.`,
  ),
  v.examples(['demo']),
);

/** Names a user of the app. */
export const UserId = v.pipe(
  identifier,
  v.description(
    `Identifies the user, from the user record of the getUser operation; at most ${IDENTIFIER_MAX_BYTES} bytes in UTF-8. The ID token must belong to this user. In a UUID, the case of letters does not matter.`,
  ),
  v.examples(['demo-user']),
);

const ONE_UUID = new RegExp(`^${UUID}$`, 'i');

/**
 * Returns an id in the form in which it is compared. Some systems write UUIDs in upper case, such
 * as Swift (RFC 9562 section 4: case does not matter on input). Other ids may differ in case only.
 */
export function comparableId(id: string): string {
  return ONE_UUID.test(id) ? id.toLowerCase() : id;
}
