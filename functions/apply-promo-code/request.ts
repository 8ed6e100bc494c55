import * as v from 'valibot';
import { ClientId, UserId } from '../../core/identifiers.ts';
import { characters, text } from '../../core/text.ts';

/**
 * The request body of `promoCode/apply`. Refusing loses an application, since apps do not look at the answer: so what
 * apps may well send is taken. `promoCode` is trimmed (phone keyboards add a space) and brought into Unicode's normal
 * form (phones compose accents differently, and one code must not be two), `eventType` and `source` are not held to
 * today's values, and a `promoCodeToken` of null or "" is one that is not there.
 */
export const ApplyPromoCodeRequest = v.object({
  clientId: ClientId,
  promoCode: v.pipe(
    v.string('must be text'),
    v.trim(),
    v.normalize('NFC'),
    ...characters(1, 10),
    v.description(
      "The code from the app's input form. Spaces around it are removed, and it is brought into Unicode's normal form NFC.",
    ),
    v.examples(['WELCOME10']),
  ),
  userId: UserId,
  promoCodeToken: v.pipe(
    v.nullish(text(0, 4096)),
    v.transform((token) => token || undefined),
    v.description('The token that promoCode/test returned; null and "" are none.'),
  ),
  eventType: v.pipe(
    text(1, 64),
    v.description('Names the user interaction that caused the call.'),
    v.examples(['promo_applied']),
  ),
  source: v.pipe(
    text(1, 64),
    v.description('Names the UI that sent the call.'),
    v.examples(['profile']),
  ),
});

/** `data` of `promoCode/apply`. */
export const PromoCodeApplied = v.object({
  message: v.pipe(v.string(), v.description('The success text.')),
});
