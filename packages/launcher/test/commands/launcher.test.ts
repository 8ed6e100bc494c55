import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { PROJECT } from 'customer-data-api/testing/processes';
import { expect, test } from 'vitest';

/* What a machine lacks is said in one line, by a program that old versions of Node can run. */

/** Returns what the launcher of a small project prints, with its exit code. */
async function launched({
  version = '24.21.0',
  ownNode = '',
  packages = ['typescript'],
  env = {} as NodeJS.ProcessEnv,
}) {
  await using folder = await newFolder();
  const file = (name: string) => join(folder.path, name);
  const LAUNCHER = 'packages/launcher';
  for (const name of ['launch.cjs', 'proxy.cjs', 'package.json']) {
    await cp(join(PROJECT, LAUNCHER, name), file(join(LAUNCHER, name)));
  }
  await cp(join(PROJECT, '.nvmrc'), file('.nvmrc'));
  await mkdir(file('node_modules/.bin'), { recursive: true });
  for (const name of packages) await mkdir(file(`node_modules/${name}`));
  if (ownNode) {
    await writeFile(file('node_modules/.bin/node'), ownNode);
    await chmod(file('node_modules/.bin/node'), 0o755);
  }
  await writeFile(file('program.mjs'), 'console.log("runs", ...process.argv.slice(2));');
  await writeFile(
    file('version.cjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
     if (process.versions.node === '24.13.1') delete require('node:http').setGlobalProxyFromEnv;`,
  );
  const program = ['packages/launcher/launch.cjs', 'program.mjs', '--an-option'];
  return await new Promise((resolve) => {
    const args = ['--require', file('version.cjs'), ...program];
    const options = { cwd: folder.path, env: { ...process.env, HTTPS_PROXY: '', ...env } };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const advice = /npm ci [-\w= ]*|Node 24\.14|http:\/\/HOST:PORT/.exec(stderr)?.[0];
      resolve([error?.code ?? 0, stdout, advice, stderr.split('\n').length]);
    });
  });
}

test.each<[what: string, machine: Parameters<typeof launched>[0], advice: string]>([
  ['Node 18', { version: '18.20.8' }, 'npm ci --include=optional --ignore-scripts=false'],
  ['Node 22', { version: '22.23.3' }, 'npm ci --include=optional --ignore-scripts=false'],
  ['no development packages', { packages: [] }, 'npm ci --include=dev'],
  ['a Node for another C library', { ownNode: '#!/lib/none' }, 'npm ci --omit=optional'],
  ['a Node without proxies', { version: '24.13.1', env: { HTTPS_PROXY: 'proxy:1' } }, 'Node 24.14'],
  ['a proxy of another kind', { env: { HTTPS_PROXY: 'socks5://proxy:1' } }, 'http://HOST:PORT'],
  ['an address without a host', { env: { http_proxy: 'http://:8080' } }, 'http://HOST:PORT'],
])('%s: one line says what to do', async (_, machine, advice) => {
  expect(await launched(machine)).toEqual([2, '', advice, 2]);
});

test('a machine with all of it runs the program with its arguments', async () => {
  const expected = [0, 'runs --an-option\n', undefined, 1];
  expect(await launched({})).toEqual(expected);
  expect(await launched({ ownNode: '#!/bin/sh\n' })).toEqual(expected);
  expect(await launched({ version: '24.13.1' })).toEqual(expected);
  expect(await launched({ env: { HTTPS_PROXY: 'http://proxy:1' } })).toEqual(expected);
});

test('every program of the package starts with it', async () => {
  const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const others = Object.entries<string>(scripts).filter(([, line]) => !/^launch /.test(line));
  expect(others.map(([name]) => name)).toEqual([
    'postinstall',
    'sbom',
    'vulnerabilities',
    'breaking',
  ]);
  for (const name of ['cdk.json', 'customer-data', 'customer-data.cmd']) {
    expect(await readFile(join(PROJECT, name), 'utf8')).toMatch(/\blaunch\b/);
  }
});
