import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { expect, test } from 'vitest';
import { buildEntry, compile, readmeApp } from './entry.ts';

const packages = fileURLToPath(new URL('node_modules', import.meta.url));

/** An app with lines that must not compile. Were a type `any`, they would. */
const MISTAKES = `
import { CustomerDataField as Field, TEXTS, type Theme } from 'customer-data-api-sdk/react-native';

// @ts-expect-error: a field is missing
export const empty = <Field />;
// @ts-expect-error: a typing error
export const theme: Theme = { light: { texts: 'black' } };
// @ts-expect-error: answers are strings
export const told = (field: FormField) => <Field field={field} answers={[[1]]} />;
export const own = (field: FormField) => <Field field={field} texts={{ ...TEXTS, add: 'Add' }} />;
`;

test.each([
  ['the types of React Native', 'types_generated'],
  ['its older types', 'types'],
])('the app of the README compiles against the built entry and %s', async (_, types) => {
  await using folder = await newFolder();
  await buildEntry(folder.path);
  await writeFile(`${folder.path}/app.tsx`, `${await readmeApp()}${MISTAKES}`);
  const compilerOptions = {
    module: 'es2022',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022'],
    jsx: 'react-jsx',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    paths: {
      react: [`${packages}/@types/react`],
      'react/jsx-runtime': [`${packages}/@types/react/jsx-runtime`],
      'react-native': [`${packages}/react-native/${types}`],
      'customer-data-api-sdk': [`${folder.path}/index`],
      'customer-data-api-sdk/react': [`${folder.path}/react`],
      'customer-data-api-sdk/react-native': [`${folder.path}/react-native/index`],
    },
  };
  const tsconfig = `${folder.path}/tsconfig.json`;
  await writeFile(tsconfig, JSON.stringify({ compilerOptions, files: ['app.tsx'] }));
  await expect(compile('--project', tsconfig)).resolves.toBeUndefined();
});
