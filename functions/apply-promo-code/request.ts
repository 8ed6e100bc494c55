import * as v from 'valibot';
import { identifier } from '../http/identifier.ts';
import { text } from '../http/text.ts';

/**
 * The request body of `promoCode/apply`. Refusing loses an application, since apps do not look at the answer: so what
 * apps may well send is taken. `promoCode` is trimmed (phone keyboards add a space), `eventType` and `source` are not
 * held to today's values, and a `promoCodeToken` of null or "" is one that is not there.
 */
export const ApplyPromoCodeRequest = v.object({
  clientId: identifier(),
  promoCode: v.pipe(v.string('must be text'), v.trim(), text(1, 10)),
  userId: identifier(),
  promoCodeToken: v.pipe(
    v.nullish(text(0, 4096), ''),
    v.transform((token) => token || undefined),
  ),
  eventType: text(1, 64),
  source: text(1, 64),
});
