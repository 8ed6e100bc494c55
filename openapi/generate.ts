import { readFile, writeFile } from 'node:fs/promises';
import { stageSchema } from '../lib/settings/settings-json-schema.ts';
import { asyncApiDocument } from './asyncapi-document.ts';
import { openApiDocument } from './document.ts';

/*
 * Writes the generated files of the service that are checked in. With `--check`, it writes none and
 * fails if one is outdated.
 */

/** The files, with what makes them. */
const GENERATED: Readonly<Record<string, () => object | Promise<object>>> = {
  'asyncapi.json': asyncApiDocument,
  'openapi.json': openApiDocument,
  'stages/schema.json': stageSchema,
};

const isCheck = process.argv.includes('--check');
for (const [name, make] of Object.entries(GENERATED)) {
  const file = new URL(`../${name}`, import.meta.url);
  const written = await readFile(file, 'utf8').catch(() => '');
  const content = `${JSON.stringify(await make(), null, 2)}\n`;
  if (content === written) continue;
  if (isCheck) {
    process.stderr.write(`${name} is out of date. Run npm run generate and commit it.\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, content);
  }
}
