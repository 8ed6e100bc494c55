import { CfnOutput } from 'aws-cdk-lib';
import {
  CfnBasePathMapping,
  CfnRestApi,
  DomainName,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';

export interface CustomDomainProps {
  /** The API. Disable its execute-api endpoint: it would bypass the domain. */
  readonly api: RestApi;
  readonly domain: NonNullable<Settings['customDomain']>;
}

/**
 * TLS 1.2 and 1.3:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html
 */
const TLS = SecurityPolicy.TLS_1_2;

/** The API's own domain, with a DNS record if the settings name the hosted zone. */
export class CustomDomain extends Construct {
  /** The base URL of the API. */
  readonly url: string;

  constructor(scope: Construct, id: string, { api, domain }: CustomDomainProps) {
    super(scope, id);
    const { name, certificateArn, hostedZoneId } = domain;
    const domainName = new DomainName(this, 'DomainName', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: TLS,
    });
    new CfnBasePathMapping(this, 'Mapping', {
      domainName: domainName.domainName,
      restApiId: api.restApiId,
      stage: api.deploymentStage.stageName,
    });
    // A call to the domain can be negotiated with the API's own policy, which would allow TLS 1.0.
    if (api.node.defaultChild instanceof CfnRestApi) api.node.defaultChild.securityPolicy = TLS;
    if (hostedZoneId) {
      new CfnRecordSet(this, 'Record', {
        hostedZoneId,
        name,
        type: 'A',
        aliasTarget: {
          dnsName: domainName.domainNameAliasDomainName,
          hostedZoneId: domainName.domainNameAliasHostedZoneId,
        },
      });
    }
    new CfnOutput(this, 'Target', {
      value: domainName.domainNameAliasDomainName,
    }).overrideLogicalId('CustomDomainTarget');
    this.url = `https://${name}`;
  }
}
