// What Lambda does at a cold start, in a new process: load the modules, run them, and call the handler with an event.
// Plain JavaScript, so that nothing else is loaded.
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
const answer = await handler(event, context);
const answered = performance.now();

process.stdout.write(
  `\n${JSON.stringify({
    statusCode: answer.statusCode,
    answerBytes: Buffer.byteLength(answer.body),
    total: answered,
    boot: started,
    loading: globalThis.loadedAt - started,
    initialising: initialised - globalThis.loadedAt,
    firstCall: answered - initialised,
    peakMegabytes: peakKilobytes() / 1024,
  })}`,
  () => process.exit(),
);

// What Linux counts for a process starts with what its parent had, except here.
function peakKilobytes() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
