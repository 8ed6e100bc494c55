import { run } from 'customer-data-api/testing/processes';
import { expect, test } from 'vitest';

/* Commands load what they need: an AWS SDK takes longer to load than a help or a check takes. */

const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  } });
  process.on('exit', () => console.log(loaded.join(' ')));
`)}`;

test.each(['--help', 'config --help', 'config check examples/demo.yaml'])(
  '%s loads no client of AWS',
  async (line) => {
    const environment = { NODE_OPTIONS: `--import ${LOADED}` };
    const { stdout } = await run('customer-data', line.split(' '), environment);
    const modules = stdout.trimEnd().split('\n').at(-1);
    expect(modules).toContain('/commander/');
    expect(modules).not.toMatch(/@aws-sdk\/client-|@smithy\//);
  },
);
