/**
 * Type-checks the bench, as part of `npm run check`. Its peers need packages that only the bench
 * installs. Without them, the project's tsconfig.json still covers the rest of the bench, and this
 * check is skipped with a remark; `.ci/run` never skips it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (existsSync(new URL('node_modules', import.meta.url))) {
  const project = fileURLToPath(new URL('tsconfig.json', import.meta.url));
  const shell = process.platform === 'win32';
  process.exitCode =
    spawnSync('tsc', ['--project', project], { stdio: 'inherit', shell }).status ?? 1;
} else {
  process.stderr.write(
    'Only a part of bench/ was type-checked. To check all of it, run npm ci --prefix bench first.\n',
  );
}
