import { run } from 'customer-data-api/testing/processes';
import { expect, test } from 'vitest';

/* Commands load what they need: an AWS SDK takes longer to load than a help or a check takes. */

const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load(url, context, next) {
    loaded.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
    return next(url, context);
  } });
  process.on('exit', () => console.log(JSON.stringify([...loaded].filter(Boolean))));
`)}`;

test.each([
  ['--help', ['commander', 'leven', 'valibot']],
  ['config --help', ['commander', 'leven', 'valibot']],
  [
    'config check examples/demo.yaml',
    ['@aws-sdk/util-dynamodb', 'commander', 'leven', 'valibot', 'yaml'],
  ],
])('%s loads few packages', async (words, expected) => {
  const env = { NODE_OPTIONS: `--import ${LOADED}` };
  const { stdout } = await run('customer-data', words.split(' '), env);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').sort()).toEqual(expected);
});
