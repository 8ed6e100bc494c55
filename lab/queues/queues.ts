import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readDocument } from '../../test/support/documents/document.ts';
import { argumentsOf, runScript } from '../generated-clients/documented-commands.ts';
import { type Mistake, withMistake } from '../project-copy.ts';
import type { QueueProgram } from './phone.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const KOTLIN_FOLDER = new URL('kotlin/', import.meta.url);
const BUILD_KOTLIN = `mvn --quiet --batch-mode -f lab/queues/kotlin compile \
  org.apache.maven.plugins:maven-dependency-plugin:3.6.0:build-classpath -Dmdep.outputFile=target/classpath`;

/** A queue in a language. */
export interface Queue {
  readonly name: 'sdk' | 'kotlin' | 'swift';
  readonly program: () => Promise<QueueProgram>;
  /** Runs a function with the program of a queue that has a mistake. */
  readonly withMistake: <T>(
    mistake: Mistake,
    folder: string,
    run: (program: QueueProgram) => Promise<T>,
  ) => Promise<T>;
}

const nodeProgram = (project: string): QueueProgram => ({
  command: process.execPath,
  args: [join(project, 'lab/queues/program.ts')],
});

/** The queue of the app SDK. */
export const SDK: Queue = {
  name: 'sdk',
  program: async () => nodeProgram(PROJECT),
  withMistake: async (mistake, folder, run) => {
    for (const path of ['package.json', 'packages/sdk/src', 'lab/queues/program.ts']) {
      await cp(join(PROJECT, path), join(folder, path), { recursive: true });
    }
    return withMistake(folder, mistake, () => run(nodeProgram(folder)));
  },
};

/** The queue in Kotlin, once it is built. */
export const KOTLIN: Queue = {
  name: 'kotlin',
  program: () => kotlinProgram('ProgramKt'),
  withMistake: async (mistake, folder, run) => {
    await mkdir(dirname(join(folder, mistake.file)), { recursive: true });
    await cp(join(PROJECT, mistake.file), join(folder, mistake.file));
    return withMistake(folder, mistake, async () => {
      const classes = join(folder, 'classes');
      await compile(join(folder, mistake.file), classes);
      return run(await kotlinProgram('ProgramKt', classes));
    });
  },
};

/** Compiles the queue in Kotlin, its programs, and the worker of the documents. */
export async function buildKotlin(): Promise<void> {
  const target = fileURLToPath(new URL('target/', KOTLIN_FOLDER));
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, 'readme'), { recursive: true });
  const { blocks } = await readDocument('examples/apps/README.md');
  const worker = blocks.find(({ language }) => language === 'kotlin');
  await writeFile(join(target, 'readme/SendCodes.kt'), worker?.text ?? '');
  await runScript(BUILD_KOTLIN);
}

/** Runs a program of the lane in Kotlin, and returns what it prints. */
export async function runKotlin(mainClass: string, ...more: readonly string[]): Promise<string> {
  const { command, args } = await kotlinProgram(mainClass);
  return (await promisify(execFile)(command, [...args, ...more])).stdout;
}

/** @param classes a folder with classes that replace those of the build. */
async function kotlinProgram(mainClass: string, classes?: string): Promise<QueueProgram> {
  const args = await argumentsOf(KOTLIN_FOLDER, mainClass);
  const [built = '', ...rest] = args.splice(args.indexOf('-cp') + 1, 2);
  const classpath = classes ? [classes, built].join(delimiter) : built;
  return { command: 'java', args: [...args, classpath, ...rest] };
}

/** Compiles one file anew, as a part of the build. */
async function compile(file: string, classes: string): Promise<void> {
  const { args } = await kotlinProgram('org.jetbrains.kotlin.cli.jvm.K2JVMCompiler');
  const classpath = args.at(-2) ?? '';
  const [built = ''] = classpath.split(delimiter);
  const options = ['-no-stdlib', '-no-reflect', '-nowarn', '-module-name', 'kotlin-queue'];
  const of = [`-Xfriend-paths=${built}`, '-cp', classpath, '-d', classes, file];
  await promisify(execFile)('java', [...args, ...options, ...of]);
}
