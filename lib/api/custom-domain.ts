import { CfnOutput } from 'aws-cdk-lib';
import {
  CfnBasePathMapping,
  DomainName,
  EndpointType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { TLS } from './rest-api.ts';

/** The API's own domain, with a DNS record if the settings name the hosted zone. */
export class CustomDomain extends Construct {
  /** The base URL of the API. */
  readonly url: string;

  /** @param api disable its execute-api endpoint: it would bypass the domain. */
  constructor(
    scope: Construct,
    id: string,
    api: RestApi,
    { name, certificateArn, hostedZoneId }: NonNullable<Settings['customDomain']>,
  ) {
    super(scope, id);
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
