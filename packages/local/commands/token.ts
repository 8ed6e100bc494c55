import { Command, InvalidArgumentError } from 'commander';
import { FOLDER_OPTION, runningIssuer, signIdToken } from 'customer-data-api-deployment/local';
import { runProgram } from 'customer-data-api-deployment/program';

const command = new Command('npm run --silent token --')
  .description('Prints an ID token for the running local server')
  .option('--user <name>', 'the subject of the token', 'demo-user')
  .option(
    '--expires-in <seconds>',
    'its lifetime; negative for an expired token',
    wholeNumber,
    3600,
  )
  .option('--claims <json>', 'claims to replace; null removes a claim', jsonObject)
  .addOption(FOLDER_OPTION)
  .action(({ folder, user, expiresIn: expiresInSeconds, claims }) =>
    runProgram(async () => {
      const issuer = await runningIssuer(folder);
      const token = await signIdToken(issuer, { user, expiresInSeconds, claims });
      process.stdout.write(`${token}\n`);
    }),
  );

await command.parseAsync();

function wholeNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The error below covers this case.
  }
  throw new InvalidArgumentError('It must be a JSON object, such as {"aud":"other"}.');
}
