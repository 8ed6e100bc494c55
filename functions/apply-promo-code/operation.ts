import * as v from 'valibot';
import { ClientId, UserId } from '../../core/identifiers.ts';
import { NOT_BLANK, sentInUtf8, storable, text, trimmed } from '../../core/text.ts';
import { API_ENVIRONMENT, type Operation } from '../http/operation.ts';

/** The spec's limit. With that of identifiers it keeps a sort key below DynamoDB's 1,024 bytes. */
export const PROMO_CODE_MAX = 10;
/** Ample: `promo_applied` has 13 characters. Longer names would only make every event larger. */
const EVENT_NAME_MAX = 64;
/** Room for a signed token. An event costs a write unit per KB; a queued one may have 256 KB. */
const PROMO_CODE_TOKEN_MAX = 4096;

/** A promo code as it is stored. It may have U+FFFD, which releases before this one accepted. */
export const StoredPromoCode = v.pipe(
  v.string('must be a string'),
  v.transform(trimmed),
  v.normalize('NFC'),
  ...storable(1, PROMO_CODE_MAX),
);

/**
 * The request body of `promoCode/apply`. Apps ignore the response, so a refused request is a lost
 * application: accept what apps may reasonably send. `promoCode` is trimmed (phone keyboards add a
 * space, a web page a zero-width one) and normalized (phones compose accents differently, and one
 * code must not become two). `eventType` and `source` accept more than today's values. An empty
 * `promoCodeToken` is absent.
 */
export const ApplyPromoCodeRequest = v.object({
  clientId: ClientId,
  promoCode: v.pipe(
    StoredPromoCode,
    sentInUtf8(),
    v.metadata({ pattern: NOT_BLANK }),
    v.description(
      "The code from the app's input form. The service removes spaces and invisible characters around it, and converts it to Unicode normalization form NFC before it counts its characters.",
    ),
    v.examples(['WELCOME10']),
  ),
  userId: UserId,
  promoCodeToken: v.pipe(
    v.nullish(text(0, PROMO_CODE_TOKEN_MAX)),
    v.transform((token) => token || undefined),
    v.description('The token that promoCode/test returned; null and "" count as absent.'),
  ),
  eventType: v.pipe(
    text(1, EVENT_NAME_MAX),
    v.description('Names the user interaction that caused the call.'),
    v.examples(['promo_applied']),
  ),
  source: v.pipe(
    text(1, EVENT_NAME_MAX),
    v.description('Names the UI that sent the call.'),
    v.examples(['profile']),
  ),
});

/** `data` of `promoCode/apply`. */
const PromoCodeApplied = v.object({
  message: v.pipe(v.string(), v.description('The success text.')),
  outcome: v.pipe(
    v.picklist(['applied', 'repeated', 'queued']),
    v.description(
      'applied: this request is the application of the code to the account. repeated: the code had been applied before, and this request was recorded. queued: the request is stored, and the service applies the code later.',
    ),
  ),
});

export const ENVIRONMENT = [
  ...API_ENVIRONMENT,
  'PROMO_EVENTS_QUEUE_URL',
  'PROMO_EVENTS_TABLE_NAME',
  'PROMO_EVENT_RETENTION_DAYS',
  'STORE_DEVICE_IDS',
  'USER_ID_CLAIM',
] as const;

/** `promoCode/apply` (spec, "promoCode/apply"). */
export const applyPromoCode = {
  folder: 'apply-promo-code',
  path: '/promoCode/apply',
  operationId: 'applyPromoCode',
  summary: 'promoCode/apply',
  description:
    "Applies a promo code to the user's account, once. The same request (same user, code and `Request-Date`) may be sent again and changes nothing: if the response is lost or `retryable`, send the request again with the same `Request-Date`. A request with another `Request-Date` is recorded as a repetition, which is a success too. `outcome` says which of them it was.",
  request: ApplyPromoCodeRequest,
  data: PromoCodeApplied,
  schemas: { PromoCodeApplied },
  errors: ['Forbidden'],
  example: {
    request: {
      clientId: 'demo',
      promoCode: 'WELCOME10',
      userId: 'demo-user',
      eventType: 'promo_applied',
      source: 'profile',
    },
    data: () => ({ message: 'The promo code was applied.', outcome: 'applied' }),
  },
  environment: ENVIRONMENT,
  grants: {
    configs: ['dynamodb:GetItem'],
    promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'],
    promoEventsQueue: ['sqs:SendMessage'],
  },
  metrics: ['PromoEventApplied', 'PromoEventQueued', 'PromoEventRepeated'],
} satisfies Operation;
