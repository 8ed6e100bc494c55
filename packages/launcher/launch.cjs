#!/usr/bin/env node
/*
 * Runs a program of the project, or without one only checks that programs can run. It is plain
 * JavaScript for old versions of Node, which show a stack trace for everything else, and a command
 * of a package, because `env` skips a `node_modules/.bin/node` that cannot run, unlike a shell.
 */
const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { useProxy } = require('./proxy.cjs');

const PROJECT = resolve(__dirname, '../..');
const OWN_NODE = join(PROJECT, 'node_modules/.bin/node');
const REQUIRED = readFileSync(join(PROJECT, '.nvmrc'), 'utf8').trim();

/** Returns what is missing and what to do, in one line; undefined if nothing is. */
function problem() {
  const isWindows = process.platform === 'win32';
  const isOwn = existsSync(OWN_NODE) && realpathSync(OWN_NODE) === process.execPath;
  if (!isWindows && !isOwn && existsSync(OWN_NODE) && spawnSync(OWN_NODE, ['--version']).error) {
    return `node_modules/.bin/node does not run on this system: it needs glibc, which Alpine lacks. Install Node ${REQUIRED}, and run: npm ci --omit=optional`;
  }
  if (Number(process.versions.node.split('.')[0]) < Number(REQUIRED)) {
    const found = `This needs Node ${REQUIRED}, and found Node ${process.versions.node}.`;
    const hasOwn = existsSync(isWindows ? `${OWN_NODE}.cmd` : OWN_NODE);
    return hasOwn
      ? `${found} The one in node_modules/.bin is not used: start programs with npm, npx or ./customer-data.`
      : `${found} Install it, for example with nvm, or get it with the packages (Linux, Windows): npm ci --include=optional --ignore-scripts=false`;
  }
  if (!existsSync(join(PROJECT, 'node_modules/typescript'))) {
    return 'The development packages are missing. Run: npm ci --include=dev';
  }
  return undefined;
}

const found = problem() ?? useProxy();
if (found) {
  process.stderr.write(`${found}\n`);
  process.exitCode = 2;
} else if (process.argv.length > 2) {
  const file = resolve(process.argv.splice(2, 1)[0]);
  process.argv[1] = file;
  void import(pathToFileURL(file).href);
}
