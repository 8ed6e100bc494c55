import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The two operations of the API, named like the folders of our functions. */
export const OPERATIONS = ['get-config', 'apply-promo-code'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One way to write the service, and how it is bundled. */
export interface Candidate {
  readonly name: string;
  /** Path of the module that exports the handler of an operation. */
  readonly source: (operation: Operation) => string;
  readonly options: BuildOptions;
}

/** A bundled operation of a candidate. */
export interface Bundle {
  /** Name of the candidate. */
  readonly candidate: string;
  readonly operation: Operation;
  /** Holds `index.mjs`, which exports the handler. */
  readonly folder: string;
  /** Size of all modules, without source maps. */
  readonly bytes: number;
}

/** The bundles of one candidate. */
export type Bundles = Readonly<Record<Operation, Bundle>>;

/**
 * Bundles both operations of a candidate.
 *
 * @param folder the bundles are written into new folders below this one.
 */
export async function bundleCandidate(candidate: Candidate, folder: string): Promise<Bundles> {
  return {
    'get-config': await bundleOperation(candidate, 'get-config', folder),
    'apply-promo-code': await bundleOperation(candidate, 'apply-promo-code', folder),
  };
}

/**
 * Bundles one operation of a candidate.
 *
 * @param folder the bundle is written into a new folder below this one.
 */
export async function bundleOperation(
  { name, source, options }: Candidate,
  operation: Operation,
  folder: string,
): Promise<Bundle> {
  const outdir = join(folder, `${name.replaceAll(/\W+/g, '-')}-${operation}`);
  await build({ ...options, entryPoints: [{ in: source(operation), out: 'index' }], outdir });
  const modules = (await readdir(outdir)).filter((file) => file.endsWith('.mjs'));
  const sizes = await Promise.all(modules.map((file) => stat(join(outdir, file))));
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  return { candidate: name, operation, folder: outdir, bytes };
}
