/** Records what the service answers and stores while parts fail, and lets Porcupine judge it. */
import { loadavg } from 'node:os';
import { relative } from 'node:path';
import { Command, Option } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { judgeDeployment } from './deployment.ts';
import type { History } from './history.ts';
import { compileJudge, hasGo, type Verdict } from './judge.ts';
import { startLocalService } from './local.ts';
import { RUNS, type Run } from './runs.ts';
import { runTrackRecord } from './track-record.ts';

/** The expectations of a run. */
type Judged = Pick<Run, 'name' | 'sees' | 'isViolated'>;

const DEPLOYMENT: Judged = { name: 'deployment', sees: ['applied', 'repeated'] };

interface Options {
  readonly seed: string;
  readonly runs?: readonly string[];
  readonly outputs?: string;
  readonly yes?: boolean;
  readonly trackRecord?: boolean;
  readonly require?: boolean;
}

const command = new Command('npm run verify --')
  .description(
    'Runs the service on this machine, lets parts of it fail, records each call and read, and lets Porcupine judge whether a code is applied once and never lost',
  )
  .option('--seed <text>', 'decides who sends what', '1')
  .addOption(
    new Option('--runs <names...>', 'only these runs').choices(RUNS.map(({ name }) => name)),
  )
  .option('--outputs <file>', 'judge a deployment: the file written by cdk deploy --outputs-file')
  .option('--yes', 'do not ask before a deployment is called')
  .option('--track-record', 'put known mistakes into a copy, one at a time, and judge each')
  .option('--require', 'fail if there is no Go')
  .action((options: Options) => runProgram(() => verify(options)));

await command.parseAsync();

async function verify(options: Options): Promise<void> {
  if (!hasGo()) {
    const message = 'There is no Go here, which compiles the judge';
    if (options.require) throw new UserError(`${message}: install Go 1.24.`);
    print(`${message}: npm run verify is left out.`);
    return;
  }
  await using folder = await newFolder();
  if (options.trackRecord) return await runTrackRecord(options.seed, print);
  const judge = await compileJudge(folder.path);
  if (options.outputs !== undefined) {
    const { outputs, seed, yes = false } = options;
    const history = await judgeDeployment({ outputs, seed, yes, print });
    const verdict = report('deployment', history, await judge('deployment', history));
    return expectNone(failuresOf(DEPLOYMENT, history, verdict));
  }
  await runLocally(folder.path, options, judge);
}

/** Makes the runs, one after the other, with one service. */
async function runLocally(
  cloudAssembly: string,
  { seed, runs }: Options,
  judge: Awaited<ReturnType<typeof compileJudge>>,
): Promise<void> {
  await synthesize(cloudAssembly);
  await using service = await startLocalService(cloudAssembly);
  print(`Seed ${seed}, load average ${loadavg()[0]?.toFixed(1)}`);
  const failures: string[] = [];
  for (const run of RUNS.filter(({ name }) => !runs || runs.includes(name))) {
    const history = await run.record(service, `${seed} ${run.name}`);
    const verdict = report(run.name, history, await judge(run.name, history), run.meaning);
    failures.push(...failuresOf(run, history, verdict));
    if (run.isEasy?.(service)) failures.push(`${run.name} was too easy: not all faults happened.`);
  }
  const { stored, published } = service.redriver.moved;
  print(`${stored} dead letters of the queue were moved back, and ${published} of the bus`);
  if (stored === 0 && !runs) failures.push('No dead letter was moved back.');
  expectNone(failures);
}

function expectNone(failures: readonly string[]): void {
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}

function failuresOf(run: Judged, history: History, verdict: Verdict): string[] {
  const missing = run.sees.filter((outcome) => !history.outcomes().has(outcome));
  const expected = run.isViolated ? 'NOT linearizable' : 'linearizable';
  return [
    ...(verdict.answer === expected ? [] : [sentenceOf(run.name, verdict, expected)]),
    ...(missing.length === 0
      ? []
      : [`${run.name} was too easy: no call was ${missing.join(' or ')}.`]),
  ];
}

function sentenceOf(name: string, { answer, deciding, folder }: Verdict, expected: string): string {
  const codes = deciding
    .map(({ user, code }) => `${code} of ${user}`)
    .slice(0, 3)
    .join(', ');
  const where = `Its history and pictures are in ${relative('.', folder)}`;
  return `${name} is ${answer} and must be ${expected}${codes && `: ${codes}`}. ${where}`;
}

/** Prints what the judge says of a run. */
function report(name: string, history: History, verdict: Verdict, meaning = ''): Verdict {
  const outcomes = [...history.outcomes()].map(([outcome, count]) => `${count} ${outcome}`);
  const answer = `${verdict.answer}${verdict.deciding.length > 0 ? `, ${verdict.deciding.length} of ${verdict.codes} codes` : ''}`;
  print(`${name.padEnd(29)} ${answer.padEnd(36)} ${outcomes.toSorted().join(', ')}`);
  if (meaning) print(`${''.padEnd(29)} ${meaning}`);
  return verdict;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
