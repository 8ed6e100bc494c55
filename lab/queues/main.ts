/** Kills apps while their queues send promo codes, and compares what the service has stored. */
import { Command } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { isInstalled } from '../generated-clients/programs.ts';
import { RIGHT_CLOCK, TWO_PROCESSES, WRONG_CLOCK } from './campaign.ts';
import { runExample } from './example.ts';
import { buildKotlin, KOTLIN, runKotlin, SDK } from './queues.ts';
import { startService } from './service.ts';
import { print, SMALL, tryQueue, WHOLE } from './try-queue.ts';
import { compareVectors, VECTORS } from './vectors.ts';

interface Options {
  readonly small: boolean;
  readonly seed: string;
  readonly require: boolean;
}

await new Command('npm run queues --')
  .description(
    'Lets the queues of the app SDK and in Kotlin send promo codes while 30 % of the responses are lost and their processes are killed. No code may be lost, and none may be accepted under two dates.',
  )
  .option('--seed <text>', 'decides which responses are lost', '1')
  .option('--small', 'send few codes, on one phone, with one mistake', false)
  .option('--require', 'fail if there is no JDK or no Maven', false)
  .action((options: Options) => runProgram(() => runQueues(options)))
  .parseAsync();

async function runQueues({ small, seed, require }: Options): Promise<void> {
  const missing = (['JDK', 'Maven'] as const).filter((program) => !isInstalled(program));
  const message = `There is no ${missing.join(' and no ')} here, which the queue in Kotlin needs`;
  if (missing.length > 0 && require) throw new UserError(`${message}.`);
  if (missing.length > 0) print(`${message}: it is left out.`);
  const hasKotlin = missing.length === 0;
  const building = hasKotlin ? buildKotlin() : undefined;
  await using service = await startService();
  const size = { ...(small ? SMALL : WHOLE), seed };
  const failures = await tryQueue(service, SDK, [WRONG_CLOCK, RIGHT_CLOCK], size);
  if (building) {
    await building;
    const seen = JSON.parse(await runKotlin('VectorsKt', VECTORS));
    print(`kotlin, ${compareVectors(seen)} scenarios as in the app SDK`);
    await runExample();
    print('kotlin, the worker of the documents sends each code');
    const phones = [WRONG_CLOCK, TWO_PROCESSES, RIGHT_CLOCK];
    failures.push(...(await tryQueue(service, KOTLIN, phones, size)));
  }
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}
