/**
 * Type-checks what needs packages that only its lane installs, as part of `npm run check`. Without
 * them, this check is skipped with a remark; `.ci/run` never skips it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

for (const lane of ['app-sdk', 'bench', 'e2e', 'explorer', 'react-native']) {
  if (existsSync(new URL(`${lane}/node_modules`, import.meta.url))) {
    const project = fileURLToPath(new URL(`${lane}/tsconfig.json`, import.meta.url));
    const shell = process.platform === 'win32';
    const { status } = spawnSync('tsc', ['--project', project], { stdio: 'inherit', shell });
    process.exitCode ||= status ?? 1;
  } else {
    process.stderr.write(
      `Not all of lab/${lane} was type-checked. To check it, run npm ci --prefix lab/${lane} first.\n`,
    );
  }
}
