// A process with warm functions: loads the handlers once and calls them with the events that its
// parent sends. Argument: the modules by operation, as JSON. Plain JavaScript, as Lambda's runtime
// is.
import { setTimeout } from 'node:timers/promises';

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
}

/** Calls a handler once with each event. Returns the CPU time of a call, in microseconds. */
async function measure({ operation, events }) {
  const before = process.cpuUsage();
  for (const event of events) await call(operation, event);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / events.length;
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
 * time with a new promo code. Returns the bytes in use after each number of calls in `after`,
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
    memory.push(await bytesInUse());
  }
  return memory;
}

const tasks = { measure, soak };
process.on('message', async ({ kind, ...task }) => {
  process.send(await tasks[kind](task));
});
process.on('disconnect', () => process.exit());
process.send('ready');
