import { Argument, Command } from 'commander';
import { FOLDER_OPTION, runningOutputs } from 'customer-data-api-deployment/local';
import { runProgram, UserError } from 'customer-data-api-deployment/program';
import { FAULT_NAMES, FAULTS, type Fault } from '../fault-switch.ts';

const explanations = Object.entries(FAULTS).map(
  ([name, explanation]) => `  ${name.padEnd(16)}${explanation}`,
);

const command = new Command('npm run fault --')
  .description('Makes the running local server fail, to try an app with each failure')
  .addArgument(
    new Argument('[fault]', 'the fault; without it, the current one is printed').choices(
      FAULT_NAMES,
    ),
  )
  .addOption(FOLDER_OPTION)
  .addHelpText('after', `\nFaults:\n${explanations.join('\n')}`)
  .action((fault: Fault | undefined, { folder }: { folder: string }) =>
    runProgram(async () => {
      const { FaultEndpoint } = await runningOutputs(folder);
      const change = fault && { method: 'PUT', body: fault };
      const response = await fetch(FaultEndpoint, change);
      if (!response.ok) {
        throw new UserError('The local server runs another release. Restart it.');
      }
      const current = (await response.text()) as Fault;
      process.stdout.write(`${current}: ${FAULTS[current]}\n`);
    }),
  );

await command.parseAsync();
