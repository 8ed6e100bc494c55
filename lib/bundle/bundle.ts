import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** Modules of Node that cost time at a cold start when they are imported as ES modules. */
export const NODE_ALIASES = {
  'node:http': path('lib/bundle/node-http.ts'),
  'node:process': path('lib/bundle/node-process.ts'),
};

/**
 * Parts of the SDK that only look up settings in configuration files, or that our calls do not use.
 * The clients are given every setting as a value (`core/aws/client-settings.ts`), so the variants
 * that the SDK has for browsers, where there are no files, do the same. A setting that is missing
 * fails when the function is loaded.
 */
const SDK_ALIASES = {
  '@aws-sdk/credential-provider-node': path('lib/bundle/credential-provider-node.ts'),
  '@smithy/core/event-streams': path('lib/bundle/event-streams.ts'),
  ...Object.fromEntries(
    [
      ['@aws-sdk/core', 'httpAuthSchemes'],
      ['@smithy/core', 'config'],
      ['@smithy/core', 'endpoints'],
    ].map(([name, submodule]) => [
      `${name}/${submodule}`,
      path(`node_modules/${name}/dist-es/submodules/${submodule}/index.browser.js`),
    ]),
  ),
};

/**
 * How esbuild bundles a function. Code that is imported on demand becomes a file of its own and is
 * loaded only when needed.
 */
export function bundleOptions() {
  return {
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    // From the ES module builds of the dependencies, esbuild removes more unused code.
    mainFields: ['module', 'main'],
    alias: { ...NODE_ALIASES, ...SDK_ALIASES },
    // The SDK would load it on demand to tell browsers apart.
    external: ['bowser'],
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/**
 * Source maps name the sources relative to this folder, which does not exist, and not to the one
 * that the CDK chooses. So every clone makes the same bundles, and a second deployment changes
 * nothing.
 */
const NAMED_FROM = path('bundle');

/** Bundles the function of a folder under `functions/`: `index.mjs` exports its handler. */
export function bundle(folder: string): Code {
  const writeTo = (outdir: string) => {
    const entryPoints = [{ in: path(`functions/${folder}/handler.ts`), out: 'index' }];
    const { outputFiles } = buildSync({
      ...bundleOptions(),
      entryPoints,
      absWorkingDir: path(''),
      outdir: NAMED_FROM,
      write: false,
    });
    for (const file of outputFiles) {
      writeFileSync(join(outdir, relative(NAMED_FROM, file.path)), file.contents);
    }
    return true;
  };
  return Code.fromAsset(path(`functions/${folder}`), {
    assetHashType: AssetHashType.OUTPUT,
    // The image is what the CDK would take if the function did not bundle by itself.
    bundling: { image: Runtime.NODEJS_24_X.bundlingImage, local: { tryBundle: writeTo } },
  });
}
