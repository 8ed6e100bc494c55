import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '../lib/bundle/bundle.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The two operations, by the folder of our function. */
export const OPERATIONS = ['get-config', 'apply-promo-code'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Something that is measured: a way to write the service, and how it is bundled. */
export interface Contestant {
  readonly name: string;
  /** The file of an operation's handler. */
  readonly source: (operation: Operation) => string;
  readonly options: BuildOptions;
}

/** What a CommonJS package needs to find Node's modules in an ES module: https://esbuild.github.io/api/#format */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** As the documentation of Lambda and of the peers has it: minified ES modules, all in one. */
const COMMON: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  minify: true,
  mainFields: ['module', 'main'],
  banner: { js: REQUIRE },
  outExtension: { '.js': '.mjs' },
  logLevel: 'error',
};

const floor = (operation: Operation) => path(`floor/${operation}.ts`);
/** A framework serves both operations with one function; Powertools, as its documentation has it, with one for each. */
const peer = (name: string, source: Contestant['source']): Contestant => ({
  name,
  source,
  options: COMMON,
});

export const OURS: Contestant = {
  name: 'ours',
  source: (operation) => path(`../functions/${operation}/handler.ts`),
  options: bundleOptions(),
};

/** A handler that answers a constant: what Node itself takes. */
export const RUNTIME: Contestant = {
  name: 'bare runtime',
  source: () => path('runtime/handler.ts'),
  options: COMMON,
};

/** The token verified against a known key, and the one call of DynamoDB; bundled as ours is, and without the SDK's chain of credentials. */
export const FLOOR: Contestant = {
  name: 'floor',
  source: floor,
  options: {
    ...bundleOptions(),
    alias: {
      ...bundleOptions().alias,
      '@aws-sdk/credential-provider-node': path('floor/credential-provider-node.ts'),
    },
  },
};

/** The same, bundled with what esbuild does by default. */
export const FLOOR_DEFAULT_FIELDS: Contestant = {
  name: 'floor, default fields',
  source: floor,
  // The main fields of CommonJS come first, as on every platform `node`.
  options: { ...COMMON, mainFields: ['main', 'module'] },
};

/** The same, with the SDK left out of the bundle, as `NodejsFunction` does by default. */
export const FLOOR_EXTERNAL_SDK: Contestant = {
  name: 'floor, SDK not bundled',
  source: floor,
  options: { ...COMMON, external: ['@aws-sdk/*', '@smithy/*'] },
};

export const PEERS: readonly Contestant[] = [
  ...['express', 'fastify', 'hono'].map((name) =>
    peer(name, () => path(`peers/${name}/handler.ts`)),
  ),
  peer('powertools', (operation) => path(`peers/powertools/${operation}.ts`)),
];

/** The peer `powertools` without its metrics and its tracer, which ours has not: shown, and in no verdict. */
export const MIDDY = peer('middy', (operation) => path(`peers/middy/${operation}.ts`));

/** A contestant's operation, ready to be loaded. */
export interface Bundle {
  readonly contestant: string;
  readonly operation: Operation;
  readonly folder: string;
  /** All that would be deployed, without source maps. */
  readonly bytes: number;
}

/** Bundles an operation of a contestant into a folder of its own: `index.mjs` exports the handler. */
export async function bundled(
  { name, source, options }: Contestant,
  operation: Operation,
  folder: string,
): Promise<Bundle> {
  const outdir = join(folder, `${name.replaceAll(/\W+/g, '-')}-${operation}`);
  await build({ ...options, entryPoints: [{ in: source(operation), out: 'index' }], outdir });
  const modules = (await readdir(outdir)).filter((file) => file.endsWith('.mjs'));
  const sizes = await Promise.all(modules.map((file) => stat(join(outdir, file))));
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  return { contestant: name, operation, folder: outdir, bytes };
}
