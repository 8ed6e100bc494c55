import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A configuration in `examples/`. */
interface ExampleClient {
  readonly clientId: string;
  readonly lastFieldId: number;
  readonly fields: readonly unknown[];
}

/** Reads all configurations in `examples/`. */
export function exampleClients(): ExampleClient[] {
  const folder = new URL('../../examples/', import.meta.url);
  // Not an import: each function whose operation has an example would bundle it.
  const { parse }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  return readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(new URL(file, folder), 'utf8')));
}
