import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT } from '../../openapi/validation.ts';
import { PROJECT } from '../support/documents/document.ts';
import { GENERATIONS, runScript } from './documented-commands.ts';
import { readModels, WRITINGS } from './generated-models.ts';

test('the document shows how to generate a client in each language', () => {
  const languages = GENERATIONS.map(({ language }) => language).sort();
  expect(languages).toEqual(['csharp', 'dart-dio', 'java', 'kotlin', 'swift6']);
});

/* Changes of the document that break generated code. Each has to be noticed. */
const MUTATED = structuredClone(DOCUMENT);
const { Field, TextSubField, DropSubField } = MUTATED.components.schemas;
TextSubField.properties.options = { type: 'string', const: '' };
DropSubField.properties.alpha = { type: 'boolean', const: false };
delete Field.discriminator.mapping;

const FOLDER = new URL('build/mutated/', PROJECT);
beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(new URL('openapi.json', FOLDER), JSON.stringify(MUTATED));
});
afterAll(() => rm(FOLDER, { recursive: true }));

describe.each(Object.entries(WRITINGS))('without a compiler, in %s', (language, writing) => {
  const { folder = '', script = '' } = GENERATIONS.find((one) => one.language === language) ?? {};

  test('the generated models are those of the document', async () => {
    const models = await readModels(writing, new URL(`${folder}/`, PROJECT), DOCUMENT);
    expect(models).toHaveProperty('ComboField');
    for (const [name, { described, generated }] of Object.entries(models)) {
      expect(generated, name).toEqual(described);
    }
  });

  test('an empty const, an enum of a boolean and a missing mapping are noticed', async () => {
    const client = new URL(`${language}/`, FOLDER);
    await runScript(
      script
        .replace('-i openapi.json', `-i ${fileURLToPath(FOLDER)}openapi.json`)
        .replace(`-o ${folder}`, `-o ${fileURLToPath(client)}`),
    );
    const models = await readModels(writing, client, MUTATED);
    const broken = Object.keys(models).filter((name) => {
      const { described, generated } = models[name] ?? {};
      return generated?.join() !== described?.join();
    });
    expect(broken).toEqual(expect.arrayContaining(['TextSubField', 'DropSubField', 'Field']));
  });
});
