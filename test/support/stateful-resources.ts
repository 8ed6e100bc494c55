import { isDeepStrictEqual } from 'node:util';
import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';

/** The resources of a template, by logical id. */
export interface Resources {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: object | undefined }>
  >;
}

/**
 * The types whose resources must never be replaced: a new one would be empty, or installed apps,
 * other stacks and subscribers would still use the old one.
 */
const STATEFUL = [
  'AWS::ApiGateway::RestApi',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::EventBus',
  'AWS::SQS::Queue',
];

const LOST: readonly ResourceImpact[] = [
  ResourceImpact.MAY_REPLACE,
  ResourceImpact.WILL_DESTROY,
  ResourceImpact.WILL_ORPHAN,
  ResourceImpact.WILL_REPLACE,
];

/**
 * Properties that Cognito never changes. CloudFormation does not replace the pool for them: the
 * update fails.
 */
const FIXED = ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'];

/**
 * Lists to which AWS adds entries, and which it never changes or shrinks: the update fails, and
 * once an entry was added, its rollback fails too.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html
 */
const GROWING = ['Schema'];

/** The stateful resources of a template, with what an update compares. */
export function statefulResources({ Resources }: Resources): Resources {
  return {
    Resources: Object.fromEntries(
      Object.entries(Resources)
        .filter(([, { Type }]) => STATEFUL.includes(Type))
        .map(([logicalId, { Type, Properties }]) => [logicalId, { Type, Properties }])
        .sort(([one = ''], [other = '']) => String(one).localeCompare(String(other))),
    ),
  };
}

/**
 * The stateful resources that an update from one template to another would replace or lose. `cdk
 * diff` uses the same comparison; which properties cause a replacement is in the resource schemas
 * of CloudFormation:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html
 *
 * @returns a line for each, with its logical id, its type and what would happen.
 */
export function lostByUpdate(released: Resources, current: Resources): string[] {
  const lost: string[] = [];
  const { resources } = fullDiff(statefulResources(released), statefulResources(current));
  resources.forEachDifference((logicalId, { changeImpact, oldResourceType, propertyUpdates }) => {
    if (LOST.includes(changeImpact)) {
      lost.push(`${logicalId} (${oldResourceType}): ${changeImpact}`);
    }
    for (const name of FIXED) {
      if (propertyUpdates[name]) lost.push(`${logicalId} (${oldResourceType}): ${name} is fixed`);
    }
    for (const name of GROWING) {
      const { oldValue = [], newValue = [] } = propertyUpdates[name] ?? {};
      const missing = entriesOf(oldValue).filter(
        (entry) => !entriesOf(newValue).some((other) => isDeepStrictEqual(entry, other)),
      );
      for (const entry of missing) {
        const text = JSON.stringify(entry);
        lost.push(`${logicalId} (${oldResourceType}): ${name} only grows, and lacks ${text}`);
      }
    }
  });
  return lost;
}

function entriesOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/**
 * The properties of stateful resources that an update changes in place: among them sign-up, TLS,
 * encryption and protection from deletion.
 *
 * @returns a line for each, with its resource, and the old and the new value as JSON.
 */
export function changedByUpdate(released: Resources, current: Resources): string[] {
  const changed: string[] = [];
  const { resources } = fullDiff(statefulResources(released), statefulResources(current));
  resources.forEachDifference((logicalId, { isAddition, propertyUpdates }) => {
    if (isAddition) return;
    for (const [name, { oldValue, newValue }] of Object.entries(propertyUpdates)) {
      changed.push(
        `${logicalId} ${name}: ${JSON.stringify(oldValue)} → ${JSON.stringify(newValue)}`,
      );
    }
  });
  return changed;
}
