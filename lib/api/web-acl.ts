import { isDeepStrictEqual } from 'node:util';
import { Annotations, Aws, Stack, Validations } from 'aws-cdk-lib';
import type { Stage as ApiStage, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { errorEnvelope } from '../../functions/http/envelope.ts';
import { ThrottlingError } from '../../functions/http/errors.ts';
import { ALL_HEADERS, HEADERS } from '../../functions/http/request-headers.ts';
import { MANAGED_GROUPS, RATE_LIMITS } from '../settings/capacity.ts';
import type { Settings } from '../settings/settings.ts';
import type { Stage } from '../settings/stage-file.ts';
import { gatewayCorsHeaders } from './cors.ts';

/** Time for which requests are counted. */
const WINDOW_SECONDS = 300;

const rateLimited = new ThrottlingError();
const RATE_LIMITED_BODY = 'RateLimited';

/**
 * AWS managed rules, in the order of evaluation.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-list.html
 */
const MANAGED_RULES = [
  {
    name: MANAGED_GROUPS[0],
    // They block bodies over 8 KB, but the functions accept 16 KB; and requests without a
    // User-Agent, but some platforms send none.
    countOnly: ['SizeRestrictions_BODY', 'NoUserAgent_HEADER'],
  },
  { name: MANAGED_GROUPS[1], countOnly: [] },
  // Phones share their carriers' addresses: one infected phone would lock out all others.
  { name: 'AWSManagedRulesAmazonIpReputationList', countOnly: 'all' },
] as const;

/**
 * The API's web ACL. Rate limits answer 429 in the envelope, which takes precedence over the
 * gateway response `WAF_FILTERED`; managed rules get that one, a 403.
 * https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html
 */
export class WebAcl extends Construct {
  /** The calls that each rule blocks, by its name. */
  readonly blocked: ReadonlyMap<string, Metric>;
  readonly arn: string;

  constructor(scope: Construct, id: string, stage: ApiStage, settings: Settings) {
    super(scope, id);
    const { blockedAddresses = [], countedRules = [], rateLimits } = settings;
    const { perAddress, perAddressAndAppId } = rateLimits;
    const headers = Object.entries({ ...rateLimited.headers, ...gatewayCorsHeaders(settings) });
    const rateLimit = (name: string, statement: RateLimit) =>
      rateLimitRule(name, statement, headers);
    const rules = [
      ...this.#blockRules(blockedAddresses),
      // App-Ids are in every installed app: a limit on them alone lets anyone use up a tenant's.
      rateLimit('RatePerAddressAndAppId', {
        limit: perAddressAndAppId,
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [
          { ip: {} },
          {
            header: {
              name: HEADERS.appId.name,
              textTransformations: [{ priority: 0, type: 'NONE' }],
            },
          },
        ],
      }),
      // Callers that send many App-Ids, or none, reach this limit.
      rateLimit('RatePerAddress', { limit: perAddress, aggregateKeyType: 'IP' }),
      ...MANAGED_RULES.map((group) => managedRules(group, countedRules)),
    ];
    // It must be unique in the account. The metrics of all rules have it as a dimension.
    const metricName = `${Stack.of(this).stackName}-WebAcl`;
    // https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html
    const blocked = (rule: string) =>
      new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { WebACL: metricName, Rule: rule, Region: Aws.REGION },
        statistic: 'Sum',
      });
    this.blocked = new Map(rules.map(({ name }) => [name, blocked(name)]));
    const webAcl = new CfnWebACL(this, 'WebAcl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
      customResponseBodies: {
        [RATE_LIMITED_BODY]: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify(errorEnvelope(rateLimited)),
        },
      },
      // The console shows samples of blocked requests for three hours: hide tokens and App-Ids.
      dataProtectionConfig: {
        dataProtections: [
          {
            action: 'SUBSTITUTION',
            field: {
              fieldType: 'SINGLE_HEADER',
              fieldKeys: ALL_HEADERS.filter(({ isLogged }) => !isLogged).map(({ name }) =>
                name.toLowerCase(),
              ),
            },
          },
        ],
      },
      visibilityConfig: visibility(metricName),
    });
    this.arn = webAcl.attrArn;
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: stage.stageArn,
      webAclArn: webAcl.attrArn,
    });
  }

  /** WAF has sets of one IP version each. */
  #blockRules(blocked: readonly string[]): Rule[] {
    const isIpv6 = (range: string) => range.includes(':');
    const sets = [
      { name: 'BlockedIpv4', version: 'IPV4', ranges: blocked.filter((range) => !isIpv6(range)) },
      { name: 'BlockedIpv6', version: 'IPV6', ranges: blocked.filter(isIpv6) },
    ];
    return sets
      .filter(({ ranges }) => ranges.length > 0)
      .map(({ name, version, ranges }) => ({
        name,
        statement: {
          ipSetReferenceStatement: {
            arn: new CfnIPSet(this, name, {
              scope: 'REGIONAL',
              ipAddressVersion: version,
              addresses: ranges,
            }).attrArn,
          },
        },
        action: { block: {} },
        visibilityConfig: visibility(name),
      }));
  }
}

type Rule = Omit<CfnWebACL.RuleProperty, 'priority'>;

type RateLimit = Omit<CfnWebACL.RateBasedStatementProperty, 'evaluationWindowSec'>;

function rateLimitRule(
  name: string,
  statement: RateLimit,
  headers: readonly (readonly [name: string, value: string])[],
): Rule {
  return {
    name,
    statement: { rateBasedStatement: { ...statement, evaluationWindowSec: WINDOW_SECONDS } },
    action: {
      block: {
        customResponse: {
          responseCode: rateLimited.statusCode,
          customResponseBodyKey: RATE_LIMITED_BODY,
          responseHeaders: headers.map(([header, value]) => ({ name: header, value })),
        },
      },
    },
    visibilityConfig: visibility(name),
  };
}

function managedRules(
  { name, countOnly }: (typeof MANAGED_RULES)[number],
  counted: readonly string[],
): Rule {
  const ofGroup = counted.filter((rule) => rule.startsWith(`AWS#${name}#`));
  const overridden =
    countOnly === 'all' ? [] : [...countOnly, ...ofGroup.map((rule) => rule.split('#')[2] ?? '')];
  return {
    name,
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: overridden.map((rule) => ({
          name: rule,
          actionToUse: { count: {} },
        })),
      },
    },
    overrideAction: countOnly === 'all' ? { count: {} } : { none: {} },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}

/** The rule that a stage without a web ACL breaks. */
const NO_WEB_ACL = {
  id: 'AwsSolutions-APIG3',
  reason:
    'The setting webAcl says that the stage has none: it is an experiment, or another stack associates a web ACL that several APIs share.',
};

/** Adds the web ACL of a stage, unless a setting says that it has none. */
export function addWebAcl(scope: Construct, api: RestApi, { settings }: Stage): WebAcl | undefined {
  const webAcl =
    (settings.webAcl ?? settings.retainData)
      ? new WebAcl(scope, 'WebAcl', api.deploymentStage, settings)
      : undefined;
  if (!webAcl) {
    Validations.of(api).acknowledge(NO_WEB_ACL);
    if (!isDeepStrictEqual(settings.rateLimits, RATE_LIMITS)) {
      Annotations.of(api).addWarningV2(
        'customer-data-api:noRateLimits',
        'rateLimits has no effect: they are rules of the web ACL, and the stage has none.',
      );
    }
  }
  return webAcl;
}
