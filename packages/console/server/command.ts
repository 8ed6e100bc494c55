import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { deploymentName, findDeployment } from 'customer-data-api-deployment';
import { type ReadOptions, readCommand } from 'customer-data-api-deployment/commands';
import {
  interruption,
  noteTo,
  printOnce,
  type Terminal,
} from 'customer-data-api-deployment/program';

/** The time after which a console that nobody uses ends. */
const IDLE_MS = 60 * 60 * 1000;

interface Options extends ReadOptions {
  readonly open: boolean;
  readonly port?: number;
}

/** `./customer-data console`: the page with which operators edit configurations. */
export function consoleCommand(terminal: Terminal): Command {
  return readCommand('console', [
    'console --stack CustomerDataApi-prod',
    'console --local',
    'console --stack CustomerDataApi-prod --no-open --port 8080',
  ])
    .option('--no-open', 'only print the address, and open no browser')
    .option('--port <number>', 'the port of the page (default: 4380, or a free one)', readPort)
    .action(async ({ open, port, json, ...options }: Options) => {
      const note = noteTo(terminal);
      const { CONSOLE_PORT, startConsole } = await import('./server.ts');
      const { openPage } = await import('./open-page.ts');
      const deployment = await findDeployment(options);
      using interrupted = interruption();
      const wanted = port ?? CONSOLE_PORT;
      await using page = await startConsole(deployment, {
        port: wanted,
        idleMs: IDLE_MS,
        log: note,
      });
      if (wanted !== 0 && page.port !== wanted) {
        note(
          `Port ${wanted} is taken, so the page is on port ${page.port}. Drafts of the other port are not here.`,
        );
      }
      note(`The console of ${deploymentName(deployment)}. Ctrl-C ends it, or an hour without use.`);
      note('Keep this address secret. It is valid until the console ends:');
      // Without its address, nobody can use it.
      if (!(await printOnce(terminal, json ? JSON.stringify({ url: page.url }) : page.url))) return;
      await using _ = open && terminal.stdout.isTTY ? await openPage(page.url) : undefined;
      const signal = once(interrupted.signal, 'abort');
      await Promise.race([page.idle.then(() => note('Nobody used it for an hour.')), signal]);
    });
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}
