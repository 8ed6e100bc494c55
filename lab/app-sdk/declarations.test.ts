import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readDocument } from 'customer-data-api/testing/documents/document';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { beforeAll, expect, test } from 'vitest';

/*
 * Compiles an app that has installed the packed SDK, with the oldest compiler that its README
 * names.
 */

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url));

/** An app with lines that must not compile. Were a type `any`, they would. */
const APP = `
import {
  applyPromoCode,
  type ErrorCode,
  type Field,
  getConfig,
  fieldsFor,
  indexedDbStorage,
  loadConfiguration,
  promoCodeQueue,
  type Session,
} from 'customer-data-api-sdk';
import { CustomerDataField } from 'customer-data-api-sdk/form';
import { useConfiguration, usePromoCodes } from 'customer-data-api-sdk/react';
import vectors from 'customer-data-api-sdk/test-vectors/fields.json';
import { fakeFetch } from 'customer-data-api-sdk/testing';

export async function captions(session: Session): Promise<string[]> {
  const result = await getConfig(session, { clientId: 'demo' }, { retry: true, retryMs: 1000 });
  // @ts-expect-error: a failure has no data
  result.data;
  if (result.outcome !== 'success') throw new Error(result.requestId);
  const [field] = result.data.fields;
  // @ts-expect-error: only a text input has a limit
  field?.subFieldA.maxChars;
  // @ts-expect-error: a typing error
  field?.fieldNames;
  // @ts-expect-error: a text has no second input
  if (field?.fieldType === 'text') field.subFieldB = { subType: 'text' };
  return result.data.fields.map(({ fieldName }: Field) => fieldName);
}

export async function apply(session: Session): Promise<'applied' | 'repeated' | 'queued' | ErrorCode> {
  const request = { clientId: 'demo', promoCode: 'A', userId: 'u', eventType: 'e', source: 's' };
  // @ts-expect-error: userId must be a string
  const result = await applyPromoCode(session, { ...request, userId: 1 });
  if (result.outcome === 'success') return result.data.outcome;
  if (result.outcome !== 'error') throw new Error(result.requestDate.toISOString());
  if (result.error.code === 'Unauthorized') return 'Unauthorized';
  // @ts-expect-error: a later version may have more codes
  return result.error.code;
}

export async function forms(session: Session): Promise<CustomerDataField[]> {
  const options = { clientId: 'demo', storage: localStorage };
  return fieldsFor(await loadConfiguration(session, options), 'register').map((field) => {
    const form = new CustomerDataField();
    form.field = field;
    // @ts-expect-error: answers are strings
    form.answers = [[1]];
    return form;
  });
}

export const reasons: string[] = vectors.answers.map(({ why }) => why);

const OWNER = { clientId: 'demo', userId: 'jane' };
export const queues = (session: Session) => [
  promoCodeQueue({ session, ...OWNER, storage: localStorage }),
  promoCodeQueue({
    session, ...OWNER, storage: indexedDbStorage(),
    lock: (_name, run) => run(),
  }),
  // @ts-expect-error: a storage is missing
  promoCodeQueue({ session }),
];

export function useHooks(session: Session) {
  const { configuration } = useConfiguration(session, { clientId: 'demo', storage: localStorage });
  // @ts-expect-error: there may be none
  configuration.fields;
  const onFailure = () => {};
  // @ts-expect-error: a typing error
  return usePromoCodes({ session, ...OWNER, storage: localStorage, onFailure }).code;
}

// @ts-expect-error: no outcome
export const fake = fakeFetch({ applyPromoCode: ['succeeded'] });
`;

const folder = await temporaryFolder();
let installed: string;
let archive: string;
beforeAll(async () => {
  await run('npm', ['pack', '--workspace', 'packages/sdk', '--pack-destination', folder]);
  installed = join(folder, 'node_modules/customer-data-api-sdk');
  await mkdir(installed, { recursive: true });
  archive = join(folder, 'customer-data-api-sdk-0.1.0.tgz');
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  await writeFile(join(folder, 'app.mts'), APP);
  await writeFile(join(folder, 'app.ts'), APP);
  // With the types of React, which a sample needs.
  const types = fileURLToPath(new URL('node_modules/@types', import.meta.url));
  await symlink(types, join(folder, 'node_modules/@types'));
  const { blocks } = await readDocument('packages/sdk/README.md');
  const own = 'export const own = <customer-data-field name="own" disabled />;';
  await writeFile(join(folder, 'readme-own.tsx'), own);
  // The lane of React Native compiles its app.
  const samples = blocks.filter(
    ({ language, text }) => language.startsWith('ts') && !text.includes('react-native'),
  );
  for (const [at, { language, text }] of samples.entries())
    await writeFile(join(folder, `readme-${at}.${language}`), text);
});

test('the package contains only its own files', async () => {
  const entries = await readdir(installed, { recursive: true });
  const files = entries.filter((name) => /\.\w+$/.test(name)).sort();
  expect(
    files.filter(
      (file) =>
        !/^(?:dist\/(?:react-native\/)?[\w-]+\.(?:js|d\.ts)|src\/(?:react-native\/)?[\w-]+\.tsx?)$/.test(
          file,
        ),
    ),
  ).toEqual([
    'CHANGELOG.md',
    'README.md',
    'package.json',
    'test-vectors/fields.json',
    'test-vectors/queue.json',
  ]);
});

test.each([
  ['publint', []],
  // It is an ES module, as its README says.
  ['attw', ['--profile', 'esm-only']],
] as const)('%s finds no mistake in the package', async (program, options) => {
  const bin = fileURLToPath(new URL(`node_modules/.bin/${program}`, import.meta.url));
  await run(bin, [archive, ...options]);
});

test('no link of the package leaves it', async () => {
  for (const name of ['README.md', 'CHANGELOG.md']) {
    const text = await readFile(join(installed, name), 'utf8');
    expect(text).not.toContain('](../');
  }
});

test('the compiler is TypeScript 5.0', async () => {
  expect((await run(process.execPath, [TSC, '--version'])).stdout).toContain('Version 5.0.');
});

test.each([
  ['node', 'es2022', 'app.ts'],
  ['bundler', 'es2022', 'app.ts'],
  ['node16', 'node16', 'app.mts'],
  ['nodenext', 'nodenext', 'app.mts'],
  ['bundler', 'es2022', 'readme-*'],
])('the declarations compile with moduleResolution %s', async (moduleResolution, module, file) => {
  const compilerOptions = {
    moduleResolution,
    module,
    target: 'es2020',
    jsx: 'react-jsx',
    lib: ['es2020', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    resolveJsonModule: true,
    allowSyntheticDefaultImports: true,
  };
  const tsconfig = join(folder, `${moduleResolution}.json`);
  await writeFile(tsconfig, JSON.stringify({ compilerOptions, include: [file] }));
  const { stdout } = await run(process.execPath, [TSC, '--project', tsconfig]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
