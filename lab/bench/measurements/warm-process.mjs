// A process with warm functions: loads the handlers once and calls them with the events that its
// parent sends. Argument: the modules by operation, as JSON. Plain JavaScript, as Lambda's runtime
// is.
import { setTimeout } from 'node:timers/promises';
import { Bench } from 'tinybench';

const modules = JSON.parse(process.argv[2]);
const handlers = {};
for (const [operation, module] of Object.entries(modules)) {
  handlers[operation] = (await import(module)).handler;
}
const context = {
  awsRequestId: 'bench',
  functionName: 'bench',
  getRemainingTimeInMillis: () => 20_000,
};

async function call(operation, event) {
  const response = await handlers[operation](event, context);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response;
}

/**
 * Calls a handler once with each event, one after the other. Returns the CPU time of a call, the
 * median and the 99th percentile of its wall time (all in microseconds), and the size of the last
 * response body in bytes.
 */
async function measure({ operation, events }) {
  let next = 0;
  let response;
  const bench = new Bench({
    iterations: events.length,
    time: 0,
    warmup: false,
    retainSamples: true,
    throws: true,
  });
  // Without the keyword `async`, tinybench would make one more call to find out whether the
  // function is asynchronous.
  bench.add(operation, async () => {
    response = await call(operation, events[next++]);
  });
  const cpu = process.cpuUsage();
  const [task] = await bench.run();
  const { user, system } = process.cpuUsage(cpu);
  const { p50, p99 } = task.result.latency;
  return {
    cpu: (user + system) / events.length,
    p50: p50 * 1000,
    p99: p99 * 1000,
    responseBytes: Buffer.byteLength(response.body),
  };
}

/** V8 frees unused compiled code only in the fourth collection. */
const COLLECTIONS = 8;

/** Bytes in use on the heap and outside it, after garbage collections. */
async function bytesInUse() {
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    globalThis.gc();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const SOAK_CONCURRENCY = 16;
/** One call in this many applies a promo code. The others read a configuration. */
const CALLS_PER_PROMO_CODE = 50;
/** Timeouts of up to 3 s keep memory in use until they are over. */
const TIMEOUTS_MS = 4000;

/**
 * Calls the functions of both operations with `events` (JSON by operation) again and again, each
 * time with a new promo code. Returns the memory in bytes after each number of calls in `after`,
 * which is in ascending order.
 */
async function soak({ events, after }) {
  const memory = [];
  let calls = 0;
  for (const count of after) {
    const callInTurn = async () => {
      while (calls < count) {
        const number = calls++;
        const operation = number % CALLS_PER_PROMO_CODE === 0 ? 'apply-promo-code' : 'get-config';
        const event = JSON.parse(events[operation][number % events[operation].length]);
        if (operation === 'apply-promo-code') {
          event.body = event.body.replace(
            /"promoCode":"\w+"/,
            `"promoCode":"s${number.toString(36)}"`,
          );
        }
        await call(operation, event);
      }
    };
    await Promise.all(Array.from({ length: SOAK_CONCURRENCY }, callInTurn));
    await setTimeout(TIMEOUTS_MS);
    memory.push({ inUse: await bytesInUse(), rss: process.memoryUsage.rss() });
  }
  return memory;
}

const tasks = { measure, soak };
process.on('message', async ({ kind, ...task }) => {
  process.send(await tasks[kind](task));
});
process.on('disconnect', () => process.exit());
process.send('ready');
