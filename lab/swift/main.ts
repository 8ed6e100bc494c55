/** Builds the Swift package of the examples, and judges it as the app SDK and Kotlin are judged. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { fieldDifferences } from '../field-vectors.ts';
import { withMistake } from '../project-copy.ts';
import { RIGHT_CLOCK, WRONG_CLOCK } from '../queues/campaign.ts';
import type { Queue } from '../queues/queues.ts';
import { startService } from '../queues/service.ts';
import { print, tryQueue, WHOLE } from '../queues/try-queue.ts';
import { compareVectors } from '../queues/vectors.ts';
import { tryCalls } from './calls.ts';
import { FIELD_MISTAKE } from './mistake.ts';
import {
  type Copy,
  copyPackages,
  EXAMPLE,
  findToolchain,
  NO_COMPILER,
  PROGRAMS,
  VECTORS,
} from './toolchain.ts';

interface Options {
  readonly small: boolean;
  readonly seed: string;
}

await new Command('npm run swift --')
  .description(
    'Builds the Swift package of the examples, and compares it with the test vectors. Then its app calls a local server, and its queue sends promo codes while 30 % of the responses are lost and its processes are killed.',
  )
  .option('--seed <text>', 'decides which responses are lost', '1')
  .option('--small', 'only compile, and compare what fields mean', false)
  .action((options: Options) => runProgram(() => judge(options)))
  .parseAsync();

async function judge({ small, seed }: Options): Promise<void> {
  const toolchain = findToolchain();
  if (!toolchain) return print(`skipped: ${NO_COMPILER}`);
  await using copy = await copyPackages(toolchain);
  const differences = async () => fieldDifferences(await outputOf(copy, 'fields'));
  const failures = await differences();
  if (failures.length > 0) throw new UserError(failures.join('\n'));
  print('swift, fields as in the app SDK');
  const found = await withMistake(copy.folder, FIELD_MISTAKE, differences);
  const line = `swift, mistake ${found.length > 0 ? 'found' : 'MISSED'}: two spellings of a value are equal`;
  print(line);
  if (found.length === 0) failures.push(line);
  if (!small) {
    print(`swift, ${compareVectors(await outputOf(copy, 'queue'))} scenarios as in the app SDK`);
    const rules: Record<string, boolean> = await outputOf(copy, 'rules');
    for (const [rule, holds] of Object.entries(rules)) {
      const line = `swift, ${holds ? 'holds' : 'BROKEN'}: ${rule}`;
      print(line);
      if (!holds) failures.push(line);
    }
    await using service = await startService();
    failures.push(...(await tryCalls(service, await copy.build(EXAMPLE, 'Example'))));
    failures.push(
      ...(await tryQueue(service, queueOf(copy), [WRONG_CLOCK, RIGHT_CLOCK], { ...WHOLE, seed })),
    );
  }
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}

/** Returns what the package makes of test vectors, or which rules hold that they do not have. */
async function outputOf(copy: Copy, subject: 'fields' | 'queue' | 'rules') {
  const { command, args } = await copy.build(PROGRAMS, 'Vectors');
  const given = [subject, copy.inside(VECTORS)];
  const { stdout } = await promisify(execFile)(command, [...args, ...given], { env: copy.env });
  return JSON.parse(stdout);
}

function queueOf(copy: Copy): Queue {
  const program = () => copy.build(PROGRAMS, 'Program');
  return {
    name: 'swift',
    program,
    withMistake: (mistake, _folder, run) =>
      withMistake(copy.folder, mistake, async () => run(await program())),
  };
}
