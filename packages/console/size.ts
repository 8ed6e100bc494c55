/** Fails if the first load of the console has more than 90 KB, compressed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import filePlugin from '@size-limit/file';
import { newFolder } from 'customer-data-api/testing/new-folder';
import sizeLimit from 'size-limit';
import { buildPage } from './server/page.ts';

const MAX_BYTES = 90_000;

await using folder = await newFolder();
const files = await Promise.all(
  [...(await buildPage())].map(async ([path, { content }], index) => {
    const file = join(folder.path, `${index}${path.replace('/', '')}`);
    await writeFile(file, content);
    return file;
  }),
);
const results = (await sizeLimit([filePlugin], files)) as readonly { size: number }[];
const size = results.reduce((total, one) => total + one.size, 0);
process.stdout.write(`The console has ${size} of ${MAX_BYTES} bytes.\n`);
if (size > MAX_BYTES) process.exitCode = 1;
