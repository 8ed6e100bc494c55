/**
 * Generates clients from openapi.json as examples/apps/README.md says, builds those whose languages
 * are installed, and tests them.
 */

import { runTests, testProgram } from '../../test/support/run-tests.ts';
import { pythonProgram } from '../python.ts';
import { DOWNLOAD, GENERATIONS, JVM_OPTIONS, runScript } from './documented-commands.ts';
import { isInstalled, ONLY_CLIENT, PROGRAMS } from './programs.ts';

const MAVEN = 'mvn --quiet --batch-mode';
const CLASSPATH = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:build-classpath';
const BUILD_KOTLIN = `${MAVEN} -f lab/generated-clients/pom.xml compile ${CLASSPATH} -Dmdep.outputFile=target/classpath`;
const BUILD_GO = 'go build -C lab/generated-clients/go -o target/driver .';

await testProgram(
  'test:clients',
  async () => PROGRAMS.filter((program) => !isInstalled(program)),
  async () => {
    if (isInstalled('JDK') && isInstalled('Maven')) await testClients();
  },
);

async function testClients(): Promise<void> {
  process.env.MAVEN_OPTS ??= JVM_OPTIONS.join(' ');
  await step('Downloading the generator', () => runScript(DOWNLOAD.replace('mvn', MAVEN)));
  // Each is one process after the other, so that together they use two cores.
  await Promise.all([
    step('Generating and building the client in Kotlin', async () => {
      if (!isWanted('kotlin')) return;
      await generate((language) => language === 'kotlin');
      await runScript(BUILD_KOTLIN);
    }),
    step('Generating the others, and building those in Go and Python', async () => {
      await generate((language) => language !== 'kotlin');
      if (isWanted('go') && isInstalled('Go')) await runScript(BUILD_GO);
      if (isWanted('python') && isInstalled('Python 3.10')) await pythonProgram('python');
    }),
  ]);
  // The other tests run the app in Kotlin.
  await runTests('lab/generated-clients', ONLY_CLIENT && '{decoding,service}');
}

function isWanted(language: string): boolean {
  return (ONLY_CLIENT ?? language) === language;
}

async function generate(isSelected: (language: string) => boolean): Promise<void> {
  for (const { language, folder, script } of GENERATIONS) {
    // A file of an earlier document would stay.
    if (isSelected(language) && isWanted(language)) await runScript(`rm -rf ${folder}\n${script}`);
  }
}

async function step(name: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await run();
  process.stdout.write(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
