import { expect, test } from 'vitest';
import { Template } from '../../template.ts';

test('what the local server does not know is refused, not guessed', () => {
  const template = new Template({ Resources: {}, Outputs: {} }, 'Stack');
  expect(() => template.resolve({ 'Fn::Sub': 'x' })).toThrow('cannot resolve');
});
