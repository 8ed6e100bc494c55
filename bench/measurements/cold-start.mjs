// A cold start as in Lambda, in a new process: loads the modules, runs them and calls the handler
// with an event. Arguments: the module and the file of the event. Plain JavaScript, so that nothing
// else is loaded.
import { readFileSync } from 'node:fs';

const [module, eventFile] = process.argv.slice(2);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = {
  awsRequestId: 'bench',
  functionName: 'bench',
  getRemainingTimeInMillis: () => 20_000,
};

const started = performance.now();
const { handler } = await import(module);
const initialised = performance.now();
const response = await handler(event, context);
const responded = performance.now();

process.stdout.write(
  `\n${JSON.stringify({
    statusCode: response.statusCode,
    responseBytes: Buffer.byteLength(response.body),
    total: responded,
    boot: started,
    loading: globalThis.loadedAt - started,
    initialising: initialised - globalThis.loadedAt,
    firstCall: responded - initialised,
    peakMegabytes: peakKilobytes() / 1024,
  })}`,
  () => process.exit(),
);

// On Linux, maxRSS of a child process starts at its parent's value. VmHWM does not.
function peakKilobytes() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
