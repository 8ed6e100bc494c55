import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctedClientId } from '../../../../admin/clients/new-client-id.ts';

test.each(['pizza', 'Pizza-Hut_2.it', 'straßenpizza', '比萨', '7', 'x.json', 'a.yaml.b'])(
  'a new client may be called %s',
  (clientId) => expect(correctedClientId(clientId)).toBeUndefined(),
);

test.each([
  ...['Pizza Hut!: pizza-hut', 'Pizza & Pasta: pizza-pasta', 'Pizza_2.it!: pizza_2.it'],
  ...['Cafe\u0301!: cafe\u0301', 'a@2: a-2', 'x.yaml: x', 'X.YML: x', 'a/b: a-b', 'a\\b: a-b'],
  ...['--yes: yes', '.hidden: hidden', '../../.yaml: pizza', '!: pizza'],
])('a new client may not be called as on the left, but as on the right: %s', (pair) => {
  const [clientId = '', corrected] = pair.split(': ');
  expect(correctedClientId(clientId)).toBe(corrected);
});

test('what a new client may be called instead is permitted itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (clientId) => {
      const corrected = correctedClientId(clientId);
      if (corrected !== undefined) expect(correctedClientId(corrected)).toBeUndefined();
    }),
  );
});
