import { isIP } from 'node:net';
import * as v from 'valibot';
import {
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../../functions/background-functions.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { described, flag, integer, listOf, matching, objectOf } from './setting-types.ts';

/** The default, measured in [performance](../../docs/performance.md). */
export const DEFAULT_MEMORY_MEGABYTES = 1024;

const Limits = v.strictObject({
  requestsPerSecond: integer(1, 1_000_000),
  burst: integer(1, 1_000_000),
});

// https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html
const RateLimit = integer(10, 2_000_000_000);

const ADDRESS_RANGE = 'must be a range of IP addresses, such as 203.0.113.7/32 or 2001:db8::/64';

/**
 * All ranges but `/0`: https://docs.aws.amazon.com/waf/latest/APIReference/API_CreateIPSet.html
 */
const AddressRange = v.pipe(
  matching(
    /^(?:[\d.]+\/(?:[1-9]|[12]\d|3[0-2])|[\da-fA-F:]*:[\da-fA-F:]*\/(?:[1-9]|[1-9]\d|1[01]\d|12[0-8]))$/,
    ADDRESS_RANGE,
  ),
  v.check((range) => isIP(range.replace(/\/.*/, '')) !== 0, ADDRESS_RANGE),
);

/** The groups of managed rules that block requests. */
export const MANAGED_GROUPS = [
  'AWSManagedRulesCommonRuleSet',
  'AWSManagedRulesKnownBadInputsRuleSet',
] as const;

/** A managed rule, as sampled requests name it: AWS WAF ignores unknown names. */
const ManagedRule = matching(
  new RegExp(`^AWS#(?:${MANAGED_GROUPS.join('|')})#\\w+$`),
  `must be a rule as sampled requests name it, such as AWS#${MANAGED_GROUPS[0]}#GenericLFI_BODY`,
);

/** https://docs.aws.amazon.com/waf/latest/developerguide/limits.html */
const MAX_RANGES = 10_000;

/**
 * Phones share their carriers' addresses, and an app that ignores a 429 loses a promo code. With
 * three requests per session, these allow 700 customers of a tenant in five minutes, and five such
 * tenants.
 */
export const RATE_LIMITS = { perAddress: 10_000, perAddressAndAppId: 2000 };

/**
 * The most batches of its queue that a function gets at the same time. More would not help a table
 * that throttles. The publisher's is the least that Lambda accepts: its stream comes first.
 */
export const MAX_CONCURRENCY = { StoreQueuedPromoEvents: 10, PublishPromoEvents: 2 } as const;

const OPERATION_IDS = OPERATIONS.map(({ operationId }) => operationId);
/** The names of the functions of the operations. */
export const OPERATION_NAMES = OPERATIONS.map(functionName);
const FUNCTIONS = [
  ...OPERATION_NAMES,
  storeQueuedPromoEvents.name,
  publishPromoEvents.name,
  recordConfigurationVersions.name,
];

/** Sizes and limits. */
export const CAPACITY = {
  throttling: described(
    'How many requests an operation takes before the gateway answers 429: the rate, and how many may arrive at the same time. default is for all other paths.',
    v.optional(objectOf(['default', ...OPERATION_IDS], Limits), {}),
  ),
  reservedConcurrency: described(
    "How many of the account's concurrent executions are kept for a function, which is also its limit. AWS refuses a reservation that leaves fewer than 100 to the rest of the account, so a new account cannot reserve any.",
    v.optional(objectOf(FUNCTIONS, integer(1, 1_000_000)), {}),
  ),
  memoryMegabytes: described(
    'The memory of each function, in megabytes. CPU during calls scales with it: one vCPU at 1,769 MB.',
    v.optional(integer(256, 10_240), DEFAULT_MEMORY_MEGABYTES),
  ),
  provisionedConcurrency: described(
    'How many execution environments of an operation are always initialised, so that no caller waits for a start. They are billed even without calls.',
    v.optional(objectOf(OPERATION_NAMES, integer(1, 1_000_000)), {}),
  ),
  webAcl: described(
    'Whether a web ACL protects the API: AWS managed rules, and the rateLimits. Defaults to the value of retainData. It costs about 10 US dollars a month, and 0.60 per million requests.',
    v.optional(flag()),
  ),
  rateLimits: described(
    'How many requests the web ACL lets through within five minutes from one IP address: in total, and with the same App-Id.',
    v.optional(
      v.strictObject({
        perAddress: v.optional(RateLimit, RATE_LIMITS.perAddress),
        perAddressAndAppId: v.optional(RateLimit, RATE_LIMITS.perAddressAndAppId),
      }),
      RATE_LIMITS,
    ),
  ),
  countedRules: described(
    'Managed rules of the web ACL that only count requests instead of blocking them, because they block customers. Needs webAcl.',
    v.optional(listOf(ManagedRule, 'must be a list of managed rules')),
  ),
  blockedAddresses: described(
    'Callers to whom the web ACL answers 403. Needs webAcl.',
    v.optional(
      v.pipe(
        listOf(AddressRange, 'must be a list of ranges of IP addresses'),
        v.maxLength(MAX_RANGES, `must have at most ${MAX_RANGES} ranges: AWS WAF accepts no more`),
      ),
    ),
  ),
};
