/** Builds the entry for React Native, with the packages of its lane, after the rest is built. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (existsSync(new URL('../../lab/react-native/node_modules/react-native', import.meta.url))) {
  const project = fileURLToPath(new URL('tsconfig.react-native.json', import.meta.url));
  const shell = process.platform === 'win32';
  const { status } = spawnSync('tsc', ['--project', project], { stdio: 'inherit', shell });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(
    'The packages of React Native are missing. In the root of the project, run: npm ci --prefix lab/react-native\n',
  );
  process.exitCode = 1;
}
