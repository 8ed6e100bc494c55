/*
 * The code of a function's worker thread. It loads the bundle and calls its handler, as Lambda's
 * runtime does.
 *
 * In JavaScript: to strip types, Node would load its compiler in each thread, which
 * takes as long as the rest of a start.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {import('./execution-environment.ts').RuntimeData} */
const { folder, handler, timeoutSeconds } = workerData;
const [file, exportName] = handler.split('.');
const module = await import(pathToFileURL(join(folder, `${file}.mjs`)).href);

/** @param {import('./execution-environment.ts').Invocation} invocation */
async function invoke({ id, event }) {
  const deadline = Date.now() + timeoutSeconds * 1000;
  const context = {
    awsRequestId: randomUUID(),
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  parentPort?.postMessage(
    await module[exportName](event, context).then(
      (response) => ({ id, response }),
      (error) => ({ id, error: String(error) }),
    ),
  );
}

parentPort?.on('message', invoke);
