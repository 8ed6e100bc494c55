import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT } from '../../openapi/validation.ts';
import { documentedCommands, type Generation } from './documented-commands.ts';
import { generate } from './generate.ts';
import { modelProblems, READABLE } from './generated-models.ts';

const PROJECT = new URL('../../', import.meta.url);
const { generations, jar } = await documentedCommands();

test('the document shows how to generate a client in each language', () => {
  const languages = generations.map(({ language }) => language).sort();
  expect(languages).toEqual(['csharp', 'dart-dio', 'java', 'kotlin', 'swift6']);
});

describe('without a compiler, the generated models are those of the document', () => {
  test.each(generations.filter(isReadable))('$language', async ({ language, folder }) => {
    expect(await modelProblems(language, new URL(`${folder}/`, PROJECT), DOCUMENT)).toEqual([]);
  });
});

/* Changes of the document that break generated code. Each has to be noticed. */
const MUTATIONS: readonly {
  readonly name: string;
  /** What the comparison says about each language. */
  readonly problem: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, changed along its paths
  readonly mutate: (schemas: any) => void;
}[] = [
  {
    name: 'an empty const',
    problem: 'TextSubField does not have options: string.',
    mutate: ({ TextSubField }) => {
      TextSubField.properties.options = { type: 'string', const: '' };
    },
  },
  {
    name: 'a missing mapping of a discriminator',
    problem: 'Field does not have text: TextField.',
    mutate: ({ Field }) => {
      delete Field.discriminator.mapping;
    },
  },
  {
    name: 'an enum of a boolean',
    problem: 'DropSubField does not have alpha: boolean.',
    mutate: ({ DropSubField }) => {
      DropSubField.properties.alpha = { type: 'boolean', const: false };
    },
  },
  {
    name: 'alternatives that a boolean tells apart',
    problem: 'TextSubField does not have alpha: boolean.',
    mutate: ({ SubField, TextSubField, DropSubField }) => {
      const [text, drop] = SubField.oneOf.map(({ $ref }: { $ref: string }) => $ref);
      SubField.discriminator = { propertyName: 'alpha', mapping: { true: text, false: drop } };
      TextSubField.properties.alpha = { type: 'boolean', const: true };
      DropSubField.properties.alpha = { type: 'boolean', const: false };
    },
  },
];

describe('a document that generators stumble over is noticed', () => {
  const folder = fileURLToPath(new URL('build/mutations/', PROJECT));
  const mutated = MUTATIONS.map(({ name, problem, mutate }) => {
    const document = structuredClone(DOCUMENT);
    mutate(document.components.schemas);
    return { name, problem, document, folder: join(folder, name.replaceAll(' ', '-')) };
  });

  beforeAll(async () => {
    for (const { document, folder } of mutated) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    }
    await generate(
      jar,
      mutated.flatMap(({ folder }) =>
        generations.filter(isReadable).map((generation) => moved(generation, folder)),
      ),
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(mutated)('$name', async ({ document, folder, problem }) => {
    for (const { language } of generations.filter(isReadable)) {
      const client = pathToFileURL(join(folder, language, '/'));
      const problems = await modelProblems(language, client, document);
      expect(problems).toContain(`${language}: ${problem}`);
    }
  });
});

function isReadable({ language }: Generation): boolean {
  return READABLE.includes(language);
}

/** The arguments of the generator for the document in a folder. */
function moved({ language, args }: Generation, folder: string): string[] {
  const changed: Readonly<Record<string, string>> = {
    '-i': join(folder, 'openapi.json'),
    '-o': join(folder, language),
  };
  return args.map((word, index) => changed[args[index - 1] ?? ''] ?? word);
}
