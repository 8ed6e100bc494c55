import { CfnRestApi, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';

/**
 * TLS 1.2 and 1.3:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html
 */
export const TLS = SecurityPolicy.TLS_1_2;

/** Refuses TLS 1.0 and 1.1, which API Gateway accepts by default, also behind a custom domain. */
export function requireTls({ node: { defaultChild } }: RestApi): void {
  if (defaultChild instanceof CfnRestApi) defaultChild.securityPolicy = TLS;
}
