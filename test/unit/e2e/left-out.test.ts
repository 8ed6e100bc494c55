import { expect, test } from 'vitest';
import { describeLeftOut, type Refused, withoutRefused } from '../../e2e/left-out.ts';

const REFUSED: readonly Refused[] = [
  { type: 'Refused', reason: 'The emulator has no such resource.' },
  {
    type: 'Sometimes',
    isRefused: ({ Mode }) => Mode === 'bad',
    reason: 'The emulator knows only good modes.',
  },
  { type: 'Partly', part: ['Properties', 'Policy'], reason: 'The emulator has no policies.' },
];

test('a refused resource is left out, and the others stay as they are', () => {
  const Kept = { Type: 'Kept', Properties: { Name: { Ref: 'AWS::Region' } } };
  const { template, leftOut } = withoutRefused(
    {
      Parameters: { Version: { Type: 'String' } },
      Resources: { Kept, Gone: { Type: 'Refused' } },
      Outputs: { Name: { Value: { Ref: 'Kept' } } },
    },
    REFUSED,
  );
  expect(template).toEqual({
    Parameters: { Version: { Type: 'String' } },
    Resources: { Kept },
    Outputs: { Name: { Value: { Ref: 'Kept' } } },
  });
  expect(leftOut).toEqual([
    { logicalId: 'Gone', type: 'Refused', reason: 'The emulator has no such resource.' },
  ]);
});

test('a resource is left out only if its properties are refused', () => {
  const Good = { Type: 'Sometimes', Properties: { Mode: 'good' } };
  const { template } = withoutRefused(
    { Resources: { Bad: { Type: 'Sometimes', Properties: { Mode: 'bad' } }, Good } },
    REFUSED,
  );
  expect(template.Resources).toEqual({ Good });
});

test('of a resource with a refused part, the rest stays', () => {
  const { template, leftOut } = withoutRefused(
    {
      Resources: {
        Gone: { Type: 'Refused' },
        One: { Type: 'Partly', Properties: { Policy: { Ref: 'Gone' }, Name: 'one' } },
        Other: { Type: 'Partly', Properties: { Name: 'other' } },
      },
    },
    REFUSED,
  );
  expect(template.Resources).toEqual({
    One: { Type: 'Partly', Properties: { Name: 'one' } },
    Other: { Type: 'Partly', Properties: { Name: 'other' } },
  });
  expect(describeLeftOut(leftOut)).toBe(
    [
      'Left out for the emulator:',
      '  The emulator has no such resource. Gone',
      '  The emulator has no policies. One.Properties.Policy',
    ].join('\n'),
  );
});

test('a dependency on a resource that is left out goes as well', () => {
  const { template } = withoutRefused(
    {
      Resources: {
        Gone: { Type: 'Refused' },
        One: { Type: 'Kept', DependsOn: 'Gone' },
        Two: { Type: 'Kept', DependsOn: ['One', 'Gone'] },
      },
    },
    REFUSED,
  );
  expect(template.Resources).toEqual({
    One: { Type: 'Kept' },
    Two: { Type: 'Kept', DependsOn: ['One'] },
  });
});

test.each([
  ['Ref', { Ref: 'Gone' }],
  ['Fn::GetAtt', { 'Fn::GetAtt': ['Gone', 'Arn'] }],
  ['Fn::GetAtt in one string', { 'Fn::GetAtt': 'Gone.Arn' }],
  ['Fn::Sub', { 'Fn::Sub': ['arn:', '{!Literal}:', '{Gone.Arn}'].join('$') }],
  ['Fn::Sub with values', { 'Fn::Sub': ['Own', { Own: { Ref: 'Gone' } }] }],
  ['a value inside others', { 'Fn::Join': ['', [{ a: [{ Ref: 'Gone' }] }]] }],
])('what refers to a resource that is left out is refused by name: %s', (_, value) => {
  const Resources = { Gone: { Type: 'Refused' }, User: { Type: 'Kept', Properties: { value } } };
  expect(() => withoutRefused({ Resources }, REFUSED)).toThrow(
    'Resources.User refers to Gone (Refused)',
  );
  const output = { Resources: { Gone: Resources.Gone }, Outputs: { Name: { Value: value } } };
  expect(() => withoutRefused(output, REFUSED)).toThrow('Outputs.Name refers to Gone (Refused)');
});

test('if nothing is refused, it says so', () => {
  const { leftOut } = withoutRefused({ Resources: { Kept: { Type: 'Kept' } } }, REFUSED);
  expect(describeLeftOut(leftOut)).toBe('Left out for the emulator:\n  nothing');
});
