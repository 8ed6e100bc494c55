import { Command } from 'commander';
import { runCommand } from '../../core/platform/command-error.ts';
import { licenceReport } from './licences.ts';
import { npm } from './npm.ts';
import { vulnerabilityReport } from './vulnerabilities.ts';

const command = new Command('npm run').description(
  'Says under which licences the packages are that the project uses, and which have known vulnerabilities',
);
command
  .command('licences')
  .description('lists the packages by licence')
  .action(() =>
    runCommand(async () => {
      process.stdout.write(`${licenceReport(await npm('sbom', '--sbom-format', 'cyclonedx'))}\n`);
    }),
  );
command
  .command('vulnerabilities')
  .description('asks the registry; fails if a package has a known vulnerability')
  .action(() =>
    runCommand(async () => {
      const { vulnerabilities, text } = vulnerabilityReport(await npm('audit', '--json'));
      process.stdout.write(`${text}\n`);
      if (vulnerabilities > 0) process.exitCode = 1;
    }),
  );

await command.parseAsync();
