import { fileURLToPath } from 'node:url';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** How esbuild bundles a function. What is imported on demand becomes a file of its own, which costs nothing until it is needed. */
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
    // The ES module builds of the dependencies lose more of what is not used: 342 KB instead of 526.
    mainFields: ['module', 'main'],
    alias: {
      'node:http': path('lib/bundle/node-http.ts'),
      'node:process': path('lib/bundle/node-process.ts'),
    },
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/** Bundles the function of a folder under `functions/`: `index.mjs` exports its handler. */
export function bundle(folder: string): Code {
  const outputs = (outdir: string) => {
    const entryPoints = [{ in: path(`functions/${folder}/handler.ts`), out: 'index' }];
    buildSync({ ...bundleOptions(), entryPoints, outdir });
    return true;
  };
  return Code.fromAsset(path(`functions/${folder}`), {
    assetHashType: AssetHashType.OUTPUT,
    // The image is what the CDK would take if the function did not bundle by itself.
    bundling: { image: Runtime.NODEJS_24_X.bundlingImage, local: { tryBundle: outputs } },
  });
}
