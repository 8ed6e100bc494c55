import { expect, test } from 'vitest';
import { Template } from '../../../local/template.ts';

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const STREAM = { 'Fn::GetAtt': ['Table', 'StreamArn'] };
const sourceOf = (EventSourceArn: object, properties: object) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { ...properties, FunctionName: { Ref: 'Store' }, EventSourceArn, BatchSize: 7 },
});
const REPORTS = { FunctionResponseTypes: ['ReportBatchItemFailures'] };

const RESOURCES = {
  Store: { Type: 'AWS::Lambda::Function', Properties: {} },
  Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
  Queue: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      VisibilityTimeout: 9,
      RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 5 },
    },
  },
  Dead: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 8 } },
  One: sourceOf(arnOf('Queue'), { ...REPORTS, ScalingConfig: { MaximumConcurrency: 2 } }),
  Other: sourceOf(arnOf('Dead'), {}),
  Records: sourceOf(STREAM, { ...REPORTS, BisectBatchOnFunctionError: true }),
};
const templateOf = (more: object = {}) =>
  new Template({ Resources: { ...RESOURCES, ...more }, Outputs: {} }, 'Stack');

test('queues and event sources deliver and retry as the template says, a dead-letter queue comes first', () => {
  const template = templateOf();
  const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:000000000000:Stack-Dead';
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 5 });
  expect(template.queues()).toEqual([
    { queueName: 'Stack-Dead', attributes: { MessageRetentionPeriod: '8' } },
    { queueName: 'Stack-Queue', attributes: { VisibilityTimeout: '9', RedrivePolicy } },
  ]);
  expect(template.eventSources()).toMatchObject([
    { batchSize: 7, concurrency: 2, reportsFailures: true },
    { batchSize: 7, concurrency: 5, reportsFailures: false, queueArn: deadLetterTargetArn },
  ]);
  expect(template.streamEventSources()).toMatchObject([
    { functionLogicalId: 'Store', batchSize: 7, reportsFailures: true, bisects: true },
  ]);
});

test('what the local server does not know is refused, not guessed', () => {
  const Properties = { Source: STREAM, TargetParameters: {}, Enrichment: arnOf('Store') };
  const template = templateOf({ Pipe: { Type: 'AWS::Pipes::Pipe', Properties } });
  expect(() => template.pipes()).toThrow('does not know Enrichment');
  expect(() => template.resolve({ 'Fn::Sub': 'x' })).toThrow('cannot resolve');
});
