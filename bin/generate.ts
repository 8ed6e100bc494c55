import { readFile, writeFile } from 'node:fs/promises';
import { Argument, Command } from 'commander';
import { configurationFileSchema } from '../cli/commands/config/json-schema.ts';
import { runProgram } from '../cli/exit-codes.ts';
import { UserError } from '../core/user-error.ts';
import { stageSchema } from '../lib/settings/settings-json-schema.ts';
import { openApiDocument } from '../openapi/document.ts';

/** The generated files that are checked in, with what makes them. */
const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  'examples/configuration.schema.json': async () => json(await configurationFileSchema()),
  'openapi.json': async () => json(await openApiDocument()),
  'stages/schema.json': () => json(stageSchema()),
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const command = new Command('npm run generate --')
  .description('Writes the generated files that are checked in, from the schemas in the code')
  .addArgument(new Argument('[files...]', 'only these files').choices(Object.keys(GENERATED)))
  .option('--check', 'write nothing, and fail if a file is outdated')
  .action((files: string[], { check = false }: { check?: boolean }) =>
    runProgram(() => generate(files.length > 0 ? files : Object.keys(GENERATED), check)),
  );

await command.parseAsync();

async function generate(files: readonly string[], check: boolean): Promise<void> {
  for (const name of files) {
    const file = new URL(`../${name}`, import.meta.url);
    const text = await readFile(file, 'utf8').catch(() => '');
    const content = (await GENERATED[name]?.()) ?? text;
    if (content === text) continue;
    if (check) {
      throw new UserError(`${name} is out of date. Run npm run generate and commit it.`);
    }
    await writeFile(file, content);
  }
}
