// A function that is warm: loads the handlers once, and calls one of them with the events that it is sent. Plain JavaScript, as
// Lambda's runtime is.
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

/**
 * Calls a handler with each of some events, so many at a time: CPU time of each call, and how long one took that was half of
 * them and how long one that was 99 % of them, all in microseconds; how many calls there were in a second; and the bytes of
 * the last answer.
 */
async function measure({ operation, events, concurrency }) {
  let next = 0;
  let answer;
  const bench = new Bench({
    iterations: events.length,
    time: 0,
    warmup: false,
    retainSamples: true,
    throws: true,
    ...(concurrency > 1 && { concurrency: 'task', threshold: concurrency }),
  });
  // Of a function that is not said to be asynchronous, tinybench would make a first call to find that out.
  bench.add(operation, async () => {
    answer = await call(operation, events[next++]);
  });
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const [task] = await bench.run();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  const { p50, p99 } = task.result.latency;
  return {
    cpu: (user + system) / events.length,
    p50: p50 * 1000,
    p99: p99 * 1000,
    throughput: events.length / seconds,
    answerBytes: Buffer.byteLength(answer.body),
  };
}

async function call(operation, event) {
  const answer = await handlers[operation](event, context);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer;
}

/** Bytes on the heap for each call; the process has room for all of them, so that nothing is collected meanwhile. */
async function allocate({ operation, events }) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (const event of events) await call(operation, event);
  return { bytes: (process.memoryUsage().heapUsed - before) / events.length };
}

/** Compiled code that is not used any more is freed by the fourth collection only. */
const COLLECTIONS = 8;

/** Bytes on the heap and beside it. */
async function inUse() {
  for (let collected = 0; collected < COLLECTIONS; collected++) {
    globalThis.gc();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const CONCURRENCY = 16;
/** One call of so many writes a promo event; the others read a configuration. */
const WRITES_ONE_IN = 50;

/** Memory in use, in bytes, after so many calls, each with a new event. */
async function soak({ texts, after }) {
  const counted = [];
  let calls = 0;
  for (const count of after) {
    const caller = async () => {
      while (calls < count) {
        const number = calls++;
        const operation = number % WRITES_ONE_IN === 0 ? 'apply-promo-code' : 'get-config';
        const event = JSON.parse(texts[operation][number % texts[operation].length]);
        if (operation === 'apply-promo-code') {
          event.body = event.body.replace(
            /"promoCode":"\w+"/,
            `"promoCode":"s${number.toString(36)}"`,
          );
        }
        await call(operation, event);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, caller));
    // What has a limit of time, of up to 3 s, is held until then.
    await setTimeout(4000);
    counted.push({ inUse: await inUse(), rss: process.memoryUsage.rss() });
  }
  return counted;
}

const kinds = { measure, allocate, soak };
process.on('message', async ({ kind, ...task }) => {
  process.send(await kinds[kind](task));
});
process.send('ready');
