import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FOLDER_OPTION, LOCAL_FOLDER } from '../../../local/folder-option.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

test('the files of a local server are in .local of the project, or in the folder that is named', () => {
  expect(LOCAL_FOLDER).toBe(resolve(PROJECT, '.local'));
  const { defaultValue, defaultValueDescription, parseArg } = FOLDER_OPTION;
  expect([defaultValue, defaultValueDescription]).toEqual([LOCAL_FOLDER, '.local']);
  expect(parseArg?.('second', LOCAL_FOLDER)).toBe(resolve('second'));
});
