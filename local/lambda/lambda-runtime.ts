/** The code of a function's worker thread. It loads the bundle and calls its handler, as Lambda's runtime does. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Invocation, InvocationResult, RuntimeData } from './execution-environment.ts';

const { folder, handler, timeoutSeconds } = workerData as RuntimeData;
const [file, exportName] = handler.split('.');
const module = await import(pathToFileURL(join(folder, `${file}.mjs`)).href);

parentPort?.on('message', async ({ id, event }: Invocation) => {
  const deadline = Date.now() + timeoutSeconds * 1000;
  const context = {
    awsRequestId: randomUUID(),
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const result = await module[exportName ?? ''](event, context).then(
    (response: unknown): InvocationResult => ({ id, response }),
    (error: unknown): InvocationResult => ({ id, error: String(error) }),
  );
  parentPort?.postMessage(result);
});
