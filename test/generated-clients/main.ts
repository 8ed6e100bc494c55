/**
 * Generates clients from openapi.json as docs/api.md says, builds those in Kotlin and Java, and
 * tests them.
 */
import { spawnSync } from 'node:child_process';
import { runTests, testProgram } from '../support/run-tests.ts';
import { DOWNLOAD, GENERATIONS, JVM_OPTIONS, runScript } from './documented-commands.ts';

const CLASSPATH = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:build-classpath';

await testProgram(
  'test:clients',
  'Generates clients from openapi.json, builds those in Kotlin and Java, and tests them',
  async () => ['javac', 'mvn'].filter((program) => spawnSync(program, ['-version']).error),
  async ({ length }) => {
    if (length === 0) await testClients();
  },
);

async function testClients(): Promise<void> {
  process.env.MAVEN_OPTS ??= JVM_OPTIONS.join(' ');
  const maven = 'mvn --quiet --batch-mode';
  await step('Downloading the generator', DOWNLOAD.replace('mvn', maven));
  // A file of an earlier document would stay.
  const scripts = GENERATIONS.map(({ folder, script }) => `rm -rf ${folder}\n${script}`);
  await step('Generating the clients', scripts.join('\n'));
  const build = `-f test/generated-clients/pom.xml compile ${CLASSPATH} -Dmdep.outputFile=target/classpath`;
  await step('Building the clients in Kotlin and Java', `${maven} ${build}`);
  await runTests('test/generated-clients');
}

async function step(name: string, script: string): Promise<void> {
  const start = performance.now();
  await runScript(script);
  process.stdout.write(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
