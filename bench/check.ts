/**
 * Type-checks the bench, as part of `npm run check`. Its peers need packages that only the bench
 * installs. Without them, the project's tsconfig.json still covers the rest of the bench, and this
 * check is skipped with a remark; `.ci/run` never skips it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { arePackagesInstalled } from './packages.ts';

if (await arePackagesInstalled()) {
  const project = fileURLToPath(new URL('tsconfig.json', import.meta.url));
  const tsc = spawn('tsc', ['--project', project], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  [process.exitCode] = await once(tsc, 'exit');
} else {
  process.stderr.write(
    'Only a part of bench/ was type-checked. To check all of it, run npm ci --prefix bench first.\n',
  );
}
