/** Fails if the first load of the console has more than 60 KB, compressed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import filePlugin from '@size-limit/file';
import sizeLimit from 'size-limit';
import { buildPage } from '../cli/console/page.ts';

const MAX_BYTES = 60_000;

const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
const files = await Promise.all(
  [...(await buildPage())].map(async ([path, { content }], index) => {
    const file = join(folder, `${index}${path.replace('/', '')}`);
    await writeFile(file, content);
    return file;
  }),
);
const results = (await sizeLimit([filePlugin], files)) as readonly { size: number }[];
const size = results.reduce((total, one) => total + one.size, 0);
await rm(folder, { recursive: true });
process.stdout.write(`The console has ${size} of ${MAX_BYTES} bytes.\n`);
if (size > MAX_BYTES) process.exitCode = 1;
