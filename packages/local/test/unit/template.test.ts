import { expect, test } from 'vitest';
import { Template } from '../../template.ts';

test('what the local server does not know is refused, not guessed', () => {
  const Source = { 'Fn::GetAtt': ['Table', 'StreamArn'] };
  const Properties = { Source, TargetParameters: {}, Enrichment: { Ref: 'Store' } };
  const Resources = {
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    Pipe: { Type: 'AWS::Pipes::Pipe', Properties },
  };
  const template = new Template({ Resources, Outputs: {} }, 'Stack');
  expect(() => template.pipes()).toThrow('does not know Enrichment');
  expect(() => template.resolve({ 'Fn::Sub': 'x' })).toThrow('cannot resolve');
});
