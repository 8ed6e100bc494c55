import * as v from 'valibot';
import { ANY_ORIGIN } from '../../functions/middlewares/cors.ts';
import { described, listOf, matching } from './setting-types.ts';

const Origin = matching(
  /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d{1,5})?$/,
  'must be an origin as browsers send it, such as https://shop.example.com: lower case, without a path',
);

/** The address of the API, and the pages that may call it. */
export const ENDPOINT = {
  corsOrigins: described(
    'The origins whose pages may call the API from a browser or a web view: a list such as https://shop.example.com, or "*" for all. None by default; native apps need none.',
    v.optional(
      v.union(
        [v.literal(ANY_ORIGIN), listOf(Origin, 'must be a list of origins')],
        'must be a list of origins such as https://shop.example.com, or "*"',
      ),
    ),
  ),
  customDomain: described(
    'A domain name for the API, with a certificate in the same region. The execute-api endpoint is then disabled. With hostedZoneId, the stack creates the DNS record.',
    v.optional(
      v.strictObject({
        name: matching(
          /^(?=.{4,64}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
          'must be a domain name in lower case, such as api.example.com',
        ),
        certificateArn: matching(
          /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
          'must be the ARN of a certificate of AWS Certificate Manager',
        ),
        hostedZoneId: v.optional(
          matching(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone of Route 53'),
        ),
      }),
    ),
  ),
};
