import { chmodSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/*
 * The figures are what an alias saves of the CPU time of a start, which is initialisation and first
 * call: of getConfig, in 150 paired rounds on a quiet machine, with 95 % intervals. An alias has to
 * save 2 %; what did not has gone (`docs/decisions/starts.md`).
 */

/** Node modules that are slow as ES modules: 18 % (16.9 to 18.3) and 3.5 % (2.5 to 4.4). */
export const NODE_ALIASES = {
  'node:http': path('lib/bundle/node-http.ts'),
  'node:process': path('lib/bundle/node-process.ts'),
};

/** The variant for browsers of a part of the AWS SDK. */
const browserBuild = (name: string, submodule: string) =>
  path(`node_modules/${name}/dist-es/submodules/${submodule}/index.browser.js`);

/**
 * Parts of the AWS SDK that only look up settings in configuration files, or that our calls do not
 * use. The clients get all settings as values (`core/aws/client-settings.ts`), so the AWS SDK's
 * variants for browsers, which have no files, do the same. A missing setting fails at load time.
 */
const SDK_ALIASES = {
  // 4.6 % (4 to 5.2).
  '@aws-sdk/credential-provider-node': path('lib/bundle/credential-provider-node.ts'),
  // 3 % (2.2 to 3.5).
  '@smithy/core/event-streams': path('lib/bundle/unused.ts'),
  // 4 KB in the bundles that publish.
  '@aws-sdk/signature-v4-multi-region': path('lib/bundle/unused.ts'),
  // 3.3 % (2.4 to 4.4) for both: the second one needs the first.
  '@smithy/core/config': browserBuild('@smithy/core', 'config'),
  '@aws-sdk/core/httpAuthSchemes': browserBuild('@aws-sdk/core', 'httpAuthSchemes'),
};

/** Returns esbuild's options for a function. Dynamic imports become files, loaded when needed. */
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
    // From the ES module builds of dependencies, esbuild removes more unused code.
    mainFields: ['module', 'main'],
    alias: { ...NODE_ALIASES, ...SDK_ALIASES },
    // The AWS SDK would load it on demand to tell browsers apart.
    external: ['bowser'],
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/**
 * Source maps name sources relative to this folder, which does not exist, instead of the CDK's
 * choice. So every clone makes the same bundles, and a second deployment changes nothing.
 */
const NAMED_FROM = path('bundle');

/**
 * Lambda runs a function as a user who owns none of its files. A file gets its mode by `chmod`:
 * from those of new files, the umask of the machine takes bits away.
 */
const MODES = { folder: 0o755, file: 0o644 };
/**
 * The hash of a bundle covers no modes: this comment gave every bundle a new one when they got
 * these, so that a deployment replaced those that Lambda could not read.
 */
const BANNER = '// Readable by everyone';

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
      banner: { js: BANNER },
    });
    for (const { path, contents } of outputFiles) {
      const file = join(outdir, relative(NAMED_FROM, path));
      writeFileSync(file, contents);
      chmodSync(file, MODES.file);
    }
    chmodSync(outdir, MODES.folder);
    return true;
  };
  return Code.fromAsset(path(`functions/${folder}`), {
    assetHashType: AssetHashType.OUTPUT,
    // The CDK would use the image if the function did not bundle itself.
    bundling: { image: Runtime.NODEJS_24_X.bundlingImage, local: { tryBundle: writeTo } },
  });
}
