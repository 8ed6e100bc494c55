import { type Command, Option } from 'commander';
import { deploymentName, findDeploymentToChange, inOneLine } from 'customer-data-api-deployment';
import {
  type ChangeOptions,
  changeCommand,
  confirmChange,
} from 'customer-data-api-deployment/commands';
import {
  columnsOf,
  interruption,
  noteTo,
  printTo,
  type Terminal,
  UserError,
  wrap,
} from 'customer-data-api-deployment/program';
import { CHECKS } from '../checks.ts';
import { Cleanup, createClient, createUser } from '../subject.ts';

interface Options extends ChangeOptions {
  readonly apiUrl?: string;
  readonly withoutWrites?: boolean;
}

const WITHOUT_WRITES = new Option(
  '--without-writes',
  'make only the checks that need neither a user nor a client',
).conflicts(['dryRun', 'yes']);
/** A user and a client that exist nowhere. */
const NOBODY = {
  idToken: 'a.b.c',
  userId: 'nobody',
  clientId: 'nobody',
  appId: 'nobody',
  countPromoEvents: async () => 0,
};
const ADVICE =
  'The checks need the permissions that docs/deploy.md lists (Check a deployment), and an app client with the flow ADMIN_USER_PASSWORD_AUTH.';

/** `./customer-data smoke`: checks of a deployment from outside. */
export function smokeCommand(terminal: Terminal): Command {
  return changeCommand('smoke', [
    'smoke --stack CustomerDataApi-prod',
    'smoke --stack CustomerDataApi-prod --dry-run',
    'smoke --stack CustomerDataApi-prod --without-writes',
    'smoke --local --json',
  ])
    .option('--api-url <url>', 'the base URL of the API, if it is not the output ApiUrl')
    .addOption(WITHOUT_WRITES)
    .action(async ({ apiUrl, withoutWrites, yes, dryRun, json, ...options }: Options) => {
      const [print, note] = [printTo(terminal), noteTo(terminal)];
      const deployment = await findDeploymentToChange(options);
      const { outputs, outputsFile, isProduction } = deployment;
      const url = (apiUrl ?? outputs.ApiUrl).replace(/\/$/, '');
      const isBound = outputs.UserIdClaim !== 'none';
      const checks = CHECKS.filter(({ needs }) =>
        withoutWrites ? !needs : isBound || needs !== 'bound user',
      );
      if (dryRun) {
        note(`Would create a user and a client smoke-<random> in ${deploymentName(deployment)},`);
        note(`call ${url}, remove them with their promo events, and check:`);
        for (const { name } of checks) print(json ? JSON.stringify({ check: name }) : name);
        return;
      }
      await confirmChange(terminal, {
        deployment,
        isAnswered: withoutWrites || yes || !isProduction,
        question: 'Create a user and a client for the checks, and remove them at the end?',
      });
      using interrupted = interruption(terminal);
      const counts = { passed: 0, failed: 0, 'not removed': 0 };
      {
        await using cleanup = new Cleanup((line) => {
          counts['not removed']++;
          note(line);
        });
        const create = async () => {
          const user = await createUser(outputs, outputsFile, cleanup);
          return { ...user, ...(await createClient(outputs, user.userId, cleanup)) };
        };
        const created = withoutWrites
          ? NOBODY
          : await create().catch((error) => Promise.reject(inOneLine(error, ADVICE)));
        note(`Checking ${url} as the client ${created.clientId}`);
        for (const { name, run } of checks) {
          if (interrupted.signal.aborted) break;
          const startedAt = performance.now();
          const reason = await run({ url, ...created }).then(() => undefined, problemOf);
          const result = reason === undefined ? 'passed' : 'failed';
          counts[result]++;
          const milliseconds = Math.round(performance.now() - startedAt);
          if (json) print(JSON.stringify({ check: name, result, milliseconds, reason }));
          else {
            const start = `${result} ${String(milliseconds).padStart(6)} ms  `;
            const words = reason === undefined ? name : `${name}: ${reason}`;
            const indent = ' '.repeat(start.length);
            const [first = '', ...more] = wrap(words, columnsOf(terminal.stdout), indent);
            [`${start}${first.trimStart()}`, ...more].forEach(print);
          }
        }
        if (interrupted.signal.aborted) note('Interrupted: the remaining checks did not run.');
        note(`${counts.passed} passed, ${counts.failed} failed`);
      }
      // The lines above say what is wrong.
      if (counts.passed < checks.length || counts['not removed'] > 0)
        throw new UserError('', 'problemsFound');
    });
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
