import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * The removal policy of a log group that has a name of its own. A first deployment that fails leaves nothing behind whose
 * name would make the next one fail.
 *
 * @param removalPolicy whether the logs are deleted with the stack.
 */
export function removalPolicyOfNamed(removalPolicy: RemovalPolicy): RemovalPolicy {
  return removalPolicy === RemovalPolicy.RETAIN
    ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
    : removalPolicy;
}
