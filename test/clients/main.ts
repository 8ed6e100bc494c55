/** Generates clients from openapi.json as docs/api.md says, builds those in Kotlin and Java, and tests them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { startVitest } from 'vitest/node';
import { CommandError, runCommand } from '../../core/platform/command-error.ts';
import { documentedCommands } from './documented-commands.ts';
import { generate } from './generate.ts';
import { JVM_OPTIONS } from './java-program.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const command = new Command('npm run test:clients --')
  .description(
    'Generates clients from openapi.json, builds those in Kotlin and Java, and tests them',
  )
  .option('--require', 'fail if there is no JDK or no Maven')
  .action(({ require = false }: { require?: boolean }) =>
    runCommand(async () => {
      const missing = await missingPrograms();
      if (missing.length === 0) return testClients();
      const message = `There is no ${missing.join(' and no ')} here, which the generated clients need`;
      if (require) throw new CommandError(`${message}: install a JDK 17 and Maven.`);
      process.stdout.write(`${message}: npm run test:clients is left out.\n`);
    }),
  );

await command.parseAsync();

async function missingPrograms(): Promise<string[]> {
  const programs = [
    ['javac', '-version'],
    ['mvn', '--version'],
  ] as const;
  const found = await Promise.all(
    programs.map(([program, option]) => run(program, [option]).then(Boolean, () => false)),
  );
  return programs.filter((_, index) => !found[index]).map(([program]) => program);
}

async function testClients(): Promise<void> {
  process.env.MAVEN_OPTS ??= JVM_OPTIONS.join(' ');
  const { download, jar, generations } = await documentedCommands();
  await step('Downloading the generator', () => maven(download));
  await step('Generating the clients', () =>
    generate(
      jar,
      generations.map(({ args }) => args),
    ),
  );
  const classpath = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:build-classpath';
  await step('Building the clients in Kotlin and Java', () =>
    maven(`mvn -f test/clients/pom.xml compile ${classpath} -Dmdep.outputFile=target/classpath`),
  );
  // Vitest sets the exit code.
  const vitest = await startVitest('test', [], {
    config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
    root: PROJECT,
    watch: false,
  });
  await vitest.close();
}

/** Runs a Maven command as a shell would. */
async function maven(script: string): Promise<void> {
  await run('/bin/sh', ['-euc', script.replace(/^mvn /, 'mvn --quiet --batch-mode ')], {
    cwd: PROJECT,
  }).catch((error: Error & { stdout?: string }) => {
    throw new CommandError(`Maven failed.\n${error.stdout || error.message}`);
  });
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  process.stdout.write(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
