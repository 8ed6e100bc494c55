import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { CommandError, runCommand } from '../core/platform/command-error.ts';
import { openApiDocument } from '../openapi/document.ts';

const FILE = new URL('../openapi.json', import.meta.url);

const command = new Command('npm run openapi --')
  .description('Writes openapi.json from the schemas that the functions validate with')
  .option('--check', 'write nothing, and fail when the file is out of date')
  .action(({ check }) =>
    runCommand(async () => {
      const document = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;
      if (!check) return writeFile(FILE, document);
      if ((await readFile(FILE, 'utf8').catch(() => '')) === document) return;
      throw new CommandError('openapi.json is out of date: run npm run openapi and commit it.');
    }),
  );

await command.parseAsync();
