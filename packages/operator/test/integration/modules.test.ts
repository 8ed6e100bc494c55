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

/* Whoever adds a module sees it here. Sizes are rounded, so that most changes do not show. */
test('commands load these modules', async () => {
  await using cleanup = new AsyncDisposableStack();
  const service = await startService();
  cleanup.defer(service.stop);
  const commands = {
    '--help': ['--help'],
    'config --help': ['config', '--help'],
    'config check': ['config', 'check', 'examples/demo.yaml'],
    'clients list': ['clients', 'list', '--outputs', service.outputsFile],
  };
  const project = new URL('../../../..', import.meta.url).href;
  const loaded: [string, number][][] = [];
  for (const words of Object.values(commands)) {
    const { stdout } = await run('customer-data', words, { NODE_OPTIONS: `--import ${LOADED}` });
    loaded.push(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
  }
  const counts = loaded.map((modules) => Map.groupBy(modules, ([url]) => partOf(url, project)));
  const parts = [...new Set(counts.flatMap((count) => [...count.keys()]))].sort();
  const row = (name: string, cells: readonly (number | string | undefined)[]) =>
    (name.padEnd(38) + cells.map((cell) => String(cell ?? '').padStart(15)).join('')).trimEnd();
  const bytes = loaded.map((modules) => modules.reduce((sum, [, size]) => sum + size, 0));
  const lines = [
    row('Modules', Object.keys(commands)),
    ...parts.map((part) =>
      row(
        part,
        counts.map((count) => count.get(part)?.length),
      ),
    ),
    row(
      'All',
      loaded.map((modules) => modules.length),
    ),
    row(
      'KB, to the nearest 10',
      bytes.map((size) => Math.round(size / 10_240) * 10),
    ),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/modules.txt');
});
