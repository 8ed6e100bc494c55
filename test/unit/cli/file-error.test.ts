import { expect, test } from 'vitest';
import { whyUnreadable, whyUnwritable } from '../../../cli/file-error.ts';

const failed = (code: string) => Object.assign(new Error(`${code}: open 'a/b'`), { code });

test.each([
  ['ENOENT', 'there is no file a/b.', 'the folder of a/b does not exist.'],
  ['EACCES', 'you may not open a/b.', 'you may not open a/b.'],
  ['EISDIR', 'a/b is a folder.', 'a/b is a folder.'],
  [
    'ENOTDIR',
    'a part of a/b is a file, and not a folder.',
    'a part of a/b is a file, and not a folder.',
  ],
  ['EMFILE', "EMFILE: open 'a/b'", "EMFILE: open 'a/b'"],
])('%s is explained in words, for reading and for writing', (code, reading, writing) => {
  expect(whyUnreadable('a/b', failed(code))).toBe(reading);
  expect(whyUnwritable('a/b', failed(code))).toBe(writing);
});
