import { type LoadedProgram, modulesTable } from 'customer-data-api/testing/modules-table';
import { run } from 'customer-data-api/testing/processes';
import { startService } from 'customer-data-api/testing/service';
import { expect, test } from 'vitest';

/* Commands load what they need: an AWS SDK takes longer to load than a help or a check takes. */

const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { statSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const loaded = new Map();
  registerHooks({ load(url, context, next) {
    if (url.startsWith('file:')) loaded.set(url, statSync(fileURLToPath(url)).size);
    return next(url, context);
  } });
  process.on('exit', () => console.log(JSON.stringify([...loaded])));
`)}`;

/** The package of a module, or else its folder. */
const partOf = (url: string, project: string) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
  url.replace(project, '').replace(/\/[^/]*$/, '');

test('commands load these modules', async () => {
  await using cleanup = new AsyncDisposableStack();
  const service = await startService();
  cleanup.defer(service.stop);
  const commands = {
    '--help': [],
    'config --help': [],
    'config check': ['examples/demo.yaml'],
    'clients list': ['--outputs', service.outputsFile],
  };
  const project = new URL('../../../..', import.meta.url).href;
  const programs: LoadedProgram[] = [];
  for (const [name, more] of Object.entries(commands)) {
    const words = [...name.split(' '), ...more];
    const { stdout } = await run('customer-data', words, { NODE_OPTIONS: `--import ${LOADED}` });
    const modules: [url: string, bytes: number][] = JSON.parse(
      stdout.trimEnd().split('\n').at(-1) ?? '',
    );
    programs.push({
      name,
      parts: modules.map(([url]) => partOf(url, project)),
      bytes: modules.reduce((sum, [, bytes]) => sum + bytes, 0),
    });
  }
  await expect(modulesTable(programs, 10)).toMatchFileSnapshot('golden/modules.txt');
});
