import { describe, expect, test } from 'vitest';
import { templateFor } from '../support/stack.ts';

const name = 'api.example.com';
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12ab-34cd';

test('without customDomain the API has its execute-api endpoint only', () => {
  const template = templateFor();
  template.resourceCountIs('AWS::ApiGateway::DomainName', 0);
  template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: false });
  expect(JSON.stringify(template.findOutputs('ApiUrl'))).toContain('.execute-api.');
});

describe('with customDomain', () => {
  const template = templateFor({ customDomain: { name, certificateArn } });
  const [domainId] = Object.keys(template.findResources('AWS::ApiGateway::DomainName'));

  test('the API has a regional domain name with the certificate, and TLS 1.2 or newer', () => {
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: name,
      RegionalCertificateArn: certificateArn,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
    });
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { SecurityPolicy: 'TLS_1_2' });
  });

  test('its root is the stage of the API, so that paths stay the same', () => {
    const [stageId] = Object.keys(template.findResources('AWS::ApiGateway::Stage'));
    const [mapping, ...others] = Object.values(
      template.findResources('AWS::ApiGateway::BasePathMapping'),
    );
    expect(others).toEqual([]);
    expect(mapping?.Properties).toEqual({
      DomainName: { Ref: domainId },
      RestApiId: { Ref: expect.stringMatching(/^Api[0-9A-F]{8}$/) },
      Stage: { Ref: stageId },
    });
  });

  test('ApiUrl follows, and the execute-api endpoint is no way around the domain', () => {
    template.hasOutput('ApiUrl', { Value: `https://${name}` });
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
  });

  test('an output says where its DNS record must point, and no record is created', () => {
    template.hasOutput('CustomDomainTarget', {
      Value: { 'Fn::GetAtt': [domainId, 'RegionalDomainName'] },
    });
    template.resourceCountIs('AWS::Route53::RecordSet', 0);
  });
});

test('with a hosted zone, the stack creates the record', () => {
  const template = templateFor({ customDomain: { name, certificateArn, hostedZoneId: 'Z123ABC' } });
  const [domainId] = Object.keys(template.findResources('AWS::ApiGateway::DomainName'));
  template.hasResourceProperties('AWS::Route53::RecordSet', {
    HostedZoneId: 'Z123ABC',
    Name: name,
    Type: 'A',
    AliasTarget: {
      DNSName: { 'Fn::GetAtt': [domainId, 'RegionalDomainName'] },
      HostedZoneId: { 'Fn::GetAtt': [domainId, 'RegionalHostedZoneId'] },
    },
  });
});
