/*
 * Runs in a function's worker thread: loads the bundle and calls its handler, as Lambda does. In
 * JavaScript, because Node would load its compiler to strip types, which doubles a thread's start.
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
