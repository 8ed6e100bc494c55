import { expect, test } from 'vitest';
import { withPublication } from '../../../../cli/config/configuration-file.ts';

const PUBLICATION = { base: 'abc', lastFieldId: 7, ids: ['1', '7'] };

test.each([
  [
    'new fields get their ids, and comments and blanks stay',
    '# Ours\nclientId: a # the client\nbase:  old # do not edit\nlastFieldId: 1\n\nfields:\n  # One\n  - id: "1"\n    appUIs: [profile]\n  # Two\n  - fieldName:   Pizza # good\n    n: 12345678901234567890\n',
    '# Ours\nclientId: a # the client\nbase:  abc # do not edit\nlastFieldId: 7\n\nfields:\n  # One\n  - id: "1"\n    appUIs: [profile]\n  # Two\n  - id: "7"\n    fieldName:   Pizza # good\n    n: 12345678901234567890\n',
  ],
  [
    'what is missing is added',
    'clientId: a # the client\nfields: [{ x: 1 }, {"y": 2}]',
    'clientId: a # the client\nbase: abc\nlastFieldId: 7\nfields: [{ "id": "1", x: 1 }, {"id": "7", "y": 2}]',
  ],
  [
    'JSON stays JSON',
    '{"clientId": "a", "fields": [{"x": 1}, {"id": "7"}]}',
    '{"clientId": "a", "base": "abc", "lastFieldId": 7, "fields": [{"id": "1", "x": 1}, {"id": "7"}]}',
  ],
])('%s', (_, text, expected) => {
  expect(withPublication(text, PUBLICATION)).toBe(expected);
});

test.each([
  ['an alias of a field', 'clientId: a\nfields:\n  - &f { x: 1 }\n  - *f\n'],
  ['fields other than those that were published', 'clientId: a\nfields: [{ id: "2" }, { x: 1 }]\n'],
  ['a list', '- a\n'],
])('a text with %s is left alone', (_, text) => {
  expect(withPublication(text, PUBLICATION)).toBeUndefined();
});
