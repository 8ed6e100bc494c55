import { describe, expect, test } from 'vitest';
import { templateFor } from '../support/stack.ts';

const template = templateFor();

const [pipe] = Object.values(template.findResources('AWS::Pipes::Pipe'));
const idOf = (type: string, name: string) =>
  Object.keys(template.findResources(type)).find((id) => id.startsWith(name));
const busId = idOf('AWS::Events::EventBus', 'PromoEventsBus');
const tableId = idOf('AWS::DynamoDB::GlobalTable', 'TablesPromoEvents');
const deadLettersId = idOf('AWS::SQS::Queue', 'PromoEventsBusDeadLetterQueue');
const logGroupId = idOf('AWS::Logs::LogGroup', 'PromoEventsBusPipeLogs');

describe('the event bus', () => {
  test("receives each new item of the table's stream, with its kind as the detail type", () => {
    expect(pipe?.Properties).toMatchObject({
      Source: { 'Fn::GetAtt': [tableId, 'StreamArn'] },
      SourceParameters: {
        DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON', BatchSize: 10 },
        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
      },
      Target: { 'Fn::GetAtt': [busId, 'Arn'] },
      TargetParameters: {
        EventBridgeEventBusParameters: {
          Source: 'customer-data-api.promo-events',
          DetailType: '$.dynamodb.NewImage.kind.S',
        },
      },
    });
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    });
  });

  test('has a pipe that starts with its permissions', () => {
    const [pipeResource] = Object.values(template.findResources('AWS::Pipes::Pipe'));
    const { PolicyName, Roles } = Object.values(template.findResources('AWS::IAM::Policy'))
      .map(({ Properties }) => Properties)
      .find(({ Roles: [role] }) => role.Ref.includes('PipeRole'));
    expect(pipeResource?.DependsOn).toEqual(expect.arrayContaining([PolicyName, Roles[0].Ref]));
    expect(pipe?.Properties.RoleArn).toEqual({ 'Fn::GetAtt': [Roles[0].Ref, 'Arn'] });
  });

  test('has alarms on the metrics of that pipe', () => {
    const [Ref] = Object.keys(template.findResources('AWS::Pipes::Pipe'));
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'CustomerDataApi-test-PipeThrottled',
      Namespace: 'AWS/EventBridge/Pipes',
      Dimensions: [{ Name: 'PipeName', Value: { Ref } }],
    });
  });

  test('receives the unchanged item, with the version of its schema', () => {
    const item = { promoCode: { S: '"},{"' } };
    const inputTemplate: string = pipe?.Properties.TargetParameters.InputTemplate;
    // EventBridge inserts an object as JSON.
    const detail = inputTemplate.replace('<$.dynamodb.NewImage>', () => JSON.stringify(item));
    expect(JSON.parse(detail)).toEqual({ version: '1', item });
  });

  test('can be imported by another stack', () => {
    template.hasOutput('PromoEventsBusName', {
      Value: { Ref: busId },
      Export: { Name: 'CustomerDataApi-test-PromoEventsBusName' },
    });
  });
});

describe('a record that the bus rejects', () => {
  const parameters = pipe?.Properties.SourceParameters.DynamoDBStreamParameters;

  test('is isolated from its batch, retried a few times, and moves to the dead-letter queue', () => {
    expect(parameters.OnPartialBatchItemFailure).toBe('AUTOMATIC_BISECT');
    expect(parameters.MaximumRetryAttempts).toBe(10);
    expect(parameters.DeadLetterConfig).toEqual({ Arn: { 'Fn::GetAtt': [deadLettersId, 'Arn'] } });
  });

  test('can be replayed for 12 of the 24 hours that a stream keeps it', () => {
    expect(parameters.MaximumRecordAgeInSeconds).toBe(12 * 60 * 60);
  });

  test('is logged as an error without its content, for a month', () => {
    expect(pipe?.Properties.LogConfiguration).toEqual({
      CloudwatchLogsLogDestination: { LogGroupArn: { 'Fn::GetAtt': [logGroupId, 'Arn'] } },
      Level: 'ERROR',
    });
    const logGroup = template.findResources('AWS::Logs::LogGroup')[logGroupId ?? ''];
    expect(logGroup?.Properties).toMatchObject({
      LogGroupName: '/aws/vendedlogs/pipes/CustomerDataApi-test/PromoEvents',
      RetentionInDays: 30,
    });
  });
});
