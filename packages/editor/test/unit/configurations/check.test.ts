import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClient } from 'customer-data-api/clients';
import { FIELD_KINDS, FINDING_CODES, type Finding } from 'customer-data-api/configuration';
import { RULES } from 'customer-data-api/testing/access-rules';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import type { UserError } from 'customer-data-api-deployment/program';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { stateForOperators } from '../../../clients/state-for-operators.ts';
import { checkText as checkFileText, readText } from '../../../commands/files.ts';
import { lineOf } from '../../../configurations/check.ts';

/*
 * What `config check` finds in a file, and the other commands in an item. The fixtures have a file
 * for each mistake; those called good have none.
 */

const FIXTURES = fileURLToPath(new URL('../../fixtures/check/', import.meta.url));

const folder = await temporaryFolder();

/**
 * Checks a file.
 *
 * @returns its findings as they are printed, their codes and severities, and the code of the error
 *   that ends the command.
 */
async function check(file: string) {
  const [codes, severities, lines]: [string[], string[], string[]] = [[], [], []];
  const add = (line: string, { severity, code }: Finding) => {
    severities.push(severity);
    codes.push(code);
    lines.push(line);
  };
  if (file.includes('/items/')) {
    const item = parse(await readFile(file, 'utf8'));
    for (const finding of stateForOperators(readClient(marshall(item)), RULES).findings) {
      add(`${file} ${lineOf(finding)}`, finding);
    }
    return { codes, severities, lines };
  }
  const text = await readText(file);
  try {
    checkFileText(file, text, add, () => {});
    return { codes, severities, lines, error: undefined };
  } catch (error) {
    return { codes, severities, lines, error: (error as UserError).code };
  }
}

async function checkText(text: string) {
  const file = join(folder, 'pizza.yaml');
  await writeFile(file, text);
  return check(file);
}

/** Splits a fixture with several files, `%%% name` before each, or with one. */
async function filesIn(fixture: string): Promise<[name: string, content: string][]> {
  const content = await readFile(join(FIXTURES, fixture), 'latin1');
  if (!fixture.endsWith('.txt')) return [[fixture, content]];
  const files = content.split(/^%%% (.*)\n/m).slice(1);
  return Array.from({ length: files.length / 2 }, (_, at) => [
    files[2 * at] ?? '',
    files[2 * at + 1] ?? '',
  ]);
}

describe('each file with a mistake', async () => {
  const fixtures = (await readdir(FIXTURES)).filter((name) => name !== 'findings.txt');
  const files = (await Promise.all(fixtures.map(filesIn))).flat().toSorted();
  await mkdir(join(folder, 'items'));
  for (const [name, content] of files) await writeFile(join(folder, name), content, 'latin1');
  const checked = await Promise.all(files.map(([name]) => check(join(folder, name))));

  test('has these findings, which reveal no key', async () => {
    const lines = checked.flatMap(({ codes, lines }) =>
      lines.map((line, at) => `${codes[at]} ${line.replace(`${folder}/`, '')}`),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(FIXTURES, 'findings.txt'));
    expect(lines.join()).not.toContain('secret');
  });

  test('ends the command if it has an error', () => {
    for (const [index, { severities, error }] of checked.entries()) {
      const name = files[index]?.[0] ?? '';
      const hasError = severities.includes('error') && !name.startsWith('items');
      expect({ name, error }).toEqual({
        name,
        error: hasError ? 'invalidConfiguration' : undefined,
      });
    }
  });

  test('stands for a code', () => {
    const codes = new Set(checked.flatMap((one) => one.codes));
    // Only files of about 400 KB are too large, and only a deployment has versions.
    expect(FINDING_CODES.filter((code) => !codes.has(code))).toEqual([
      'deletedClient',
      'editedRule',
      'foreignAppClients',
      'tooLarge',
      'tooLargeToRestore',
    ]);
  });
});

describe.each(FIELD_KINDS)('the example of a %s field', async (kind) => {
  const file = new URL(`../../../../../examples/fields/${kind}.yaml`, import.meta.url);
  const field = await readFile(file, 'utf8');

  test('makes a good file below a first line', async () => {
    const text = `clientId: pizza\nfields:\n${field}`;
    expect(await checkText(text)).toMatchObject({ lines: [], error: undefined });
  });

  test('is good with its comments on other languages as attributes', async () => {
    const translated = field.replaceAll(/^( +)# (?=translations:| {2})/gm, '$1');
    const text = `clientId: pizza\nlanguage: en\nfields:\n${translated}`;
    expect(await checkText(text)).toMatchObject({ lines: [], error: undefined });
    const [{ translations }] = parse(translated);
    if (kind !== 'combo') expect(translations).toBeDefined();
  });
});

test.each(['demo', 'acme'])('the example %s is good', async (name) => {
  const file = fileURLToPath(new URL(`../../../../../examples/${name}.yaml`, import.meta.url));
  expect(await check(file)).toMatchObject({ lines: [], error: undefined });
});

test('a file in another encoding is refused whole, and one in UTF-8 is read as it is', async () => {
  const file = join(folder, 'encoded.yaml');
  await writeFile(file, PIZZA.replace('Membership number', 'Größe'), 'latin1');
  await expect(readText(file)).rejects.toMatchObject({ code: 'unreadableFile' });
  const { codes } = await checkText(PIZZA.replace('Membership number', 'Gr\ufffdsse'));
  expect(codes).toEqual(['strayCharacter']);
});

test('lists that are too deep inside each other are an error of syntax', async () => {
  const checked = await checkText(`clientId: ${'['.repeat(20_000)}\nfields: []\n`);
  expect(checked).toMatchObject({ codes: ['syntax'], error: 'invalidConfiguration' });
  expect(checked.lines).toEqual([expect.stringMatching(/pizza\.yaml:\d+:\d+ error/)]);
});
