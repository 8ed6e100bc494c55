import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { bundleOptions, NODE_ALIASES } from '../../../lib/bundle/bundle.ts';
import type { Candidate, Operation } from './candidate.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * CommonJS packages in an ES module need `require` to load Node's modules:
 * https://esbuild.github.io/api/#format
 */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * The form that the documentation of Lambda and of the peers recommends: one minified ES module.
 */
const RECOMMENDED: BuildOptions = {
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

/** The deployed functions. */
export const OURS: Candidate = {
  name: 'ours',
  source: (operation) => path(`../../../functions/${operation}/handler.ts`),
  options: bundleOptions(),
};

/** The function that stores queued promo events. Only the size of its bundle is measured. */
export const OURS_QUEUE: Candidate = {
  ...OURS,
  name: 'ours, queue',
  source: () => path('../../../functions/store-queued-promo-events/handler.ts'),
};

const floor = (operation: Operation) => path(`floor/${operation}.ts`);

/**
 * The least that the operations can do: verify the token with a known key and make one call to
 * DynamoDB. Bundled like ours, without the SDK's chain of credential providers.
 */
export const FLOOR: Candidate = {
  name: 'floor',
  source: floor,
  options: {
    ...bundleOptions(),
    alias: {
      ...NODE_ALIASES,
      '@aws-sdk/credential-provider-node': path('floor/credential-provider-node.ts'),
    },
  },
};

/** The whole service, written with other libraries. */
export const PEERS: readonly Candidate[] = [
  // A web framework serves both operations with one handler.
  { name: 'hono', source: () => path('peers/hono/handler.ts'), options: RECOMMENDED },
  // One function for each operation, as in the documentation of Powertools.
  {
    name: 'powertools',
    source: (operation) => path(`peers/powertools/${operation}.ts`),
    options: RECOMMENDED,
  },
];
