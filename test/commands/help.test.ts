import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { run } from '../support/processes.ts';

/* What the commands for developers say with --help. `conventions.test.ts` has those of `customer-data`. */

test.each([
  [
    'breaking',
    'npm run breaking -- [options] [git ref]',
    [
      'Fails when openapi.json breaks clients of the last release',
      'git ref compare with openapi.json at this commit, such as main, instead',
    ],
  ],
  [
    'fault',
    'npm run fault -- [options] [fault]',
    [
      'Makes the running local server fail, so that an app can be tried with each failure',
      'fault without it, the current one is printed',
    ],
  ],
  [
    'generate',
    'npm run generate -- [options] [files...]',
    [
      'Writes the generated files that are checked in, from the schemas in the code',
      'files only these files',
      '--check write nothing, and fail if a file is out of date',
    ],
  ],
  [
    'start',
    'npm start -- [options]',
    [
      'Runs the service on this machine, on port PORT (default: 3000; 0 picks a free port)',
      '--data <folder> keep the data in this folder between runs',
      '--stage <name> the stage whose settings to use (default: dev)',
      '--set <name=value...> overrides settings of the stage',
      '--app <folder> run this cloud assembly instead of synthesizing one',
      '--throttle answer 429 beyond the limits of the stage, as API Gateway does',
      '--fault <name> start with this fault; npm run fault changes it, and explains each with --help (choices: "none", "throttle", "table-down", "keys-down", "slow")',
    ],
  ],
  [
    'token',
    'npm run --silent token -- [options]',
    [
      'Prints an ID token for the running local server',
      '--user <name> the subject of the token (default: "demo-user")',
      '--expires-in <seconds> its lifetime; negative for an expired token (default: 3600)',
      '--claims <json> claims to replace; null removes a claim',
    ],
  ],
])('the help of %s says how to call it, and what each option does', async (script, usage, says) => {
  const { code, stdout } = await run(script, ['--help']);
  expect(code).toBe(0);
  const help = stdout.replaceAll(/\s+/g, ' ');
  expect(help).toContain(`Usage: ${usage} `);
  for (const sentence of says) expect(help).toContain(sentence);
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(scripts[script]).toBe(`node bin/${script}.ts`);
});
