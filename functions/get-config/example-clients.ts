import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A configuration as `examples/` has it. */
export interface ExampleClient {
  readonly clientId: string;
  readonly lastFieldId: number;
  readonly fields: readonly unknown[];
}

/** Reads the configurations in `examples/`. */
export function exampleClients(): ExampleClient[] {
  const folder = new URL('../../examples/', import.meta.url);
  // Not imported: it would become a part of each function whose operation has an example.
  const { parse }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  return readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(new URL(file, folder), 'utf8')));
}
