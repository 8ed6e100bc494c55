import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { CommandError } from '../core/platform/command-error.ts';
import { embeddedDynamoDb, startDatabase } from './database.ts';
import { createGateway } from './gateway.ts';
import {
  createJwksServer,
  generateSigningKey,
  type Issuer,
  jwksPath,
  type SigningKey,
} from './issuer.ts';
import { LambdaFunction } from './lambda-function.ts';
import { close, listen } from './listen.ts';
import { type Queues, startQueues } from './queues.ts';
import type { Synthesized } from './synthesize.ts';

/** The outputs of the stack as it runs here. */
export interface LocalOutputs {
  readonly ApiUrl: string;
  readonly ConfigsTableName: string;
  readonly PromoEventsTableName: string;
  readonly PromoEventsQueueUrl: string;
  readonly PromoEventsDeadLetterQueueUrl: string;
  readonly PromoEventsBusName: string;
  readonly UserPoolId: string;
  readonly UserPoolClientId: string;
  readonly UserIdClaim: string;
  readonly DynamoDbEndpoint: string;
  readonly SqsEndpoint: string;
  readonly JwksUri: string;
}

export interface LocalServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Where `outputs.json` and the signing key are written. */
  readonly folder: string;
  /** Where DynamoDB keeps its data; in memory without it. */
  readonly dataFolder?: string | undefined;
  /** Speaks DynamoDB's protocol in place of the embedded engine. */
  readonly dynamodb?: Server | undefined;
  /** Takes each line that a function logs. */
  readonly log: (line: string) => void;
}

/** The stack, running on this machine. */
export interface LocalServer {
  readonly outputs: LocalOutputs;
  readonly issuer: Issuer;
  readonly servers: Readonly<Record<'gateway' | 'jwks' | 'database', Server>>;
  /** By logical id. */
  readonly functions: ReadonlyMap<string, LambdaFunction>;
  /** Ends everything that was started, and removes `outputs.json`. */
  readonly stop: () => Promise<void>;
}

const SIGNING_KEY_FILE = 'signing-key.json';
const OUTPUTS_FILE = 'outputs.json';

/**
 * Runs a synthesized stack on this machine: its routes, functions, tables, queues and gateway responses are those of
 * the template.
 *
 * @throws CommandError when a port or a folder cannot be used.
 */
export async function startLocalServer(
  { stackName, template, assetFolders }: Synthesized,
  { port, folder, dataFolder, dynamodb, log }: LocalServerOptions,
): Promise<LocalServer> {
  const stackOutputs = template.outputs() as Record<keyof LocalOutputs, string>;
  const issuer = {
    userPoolId: stackOutputs.UserPoolId,
    userPoolClientId: stackOutputs.UserPoolClientId.split(',')[0] ?? '',
    signingKey: await signingKeyIn(folder),
  };

  const functions = new Map<string, LambdaFunction>();
  const servers: Server[] = [];
  let queues: Queues | undefined;
  const outputsFile = join(folder, OUTPUTS_FILE);
  const stop = async () => {
    await Promise.all([
      queues?.stop(),
      ...[...functions.values()].map((operation) => operation.stop()),
    ]);
    await Promise.all(servers.map(close));
  };

  try {
    // First, so that a port in use is told before anything else is started.
    const gateway = createGateway(template, functions);
    const ApiUrl = await listen(gateway, port);
    servers.push(gateway);
    const jwks = createJwksServer(issuer);
    const jwksOrigin = await listen(jwks);
    servers.push(jwks);
    const database = await startDatabase(
      dynamodb ?? (await embeddedDynamoDb(dataFolder)),
      template.tables(),
      stackOutputs.ConfigsTableName,
    );
    servers.push(database.server);
    queues = await startQueues(template.queues());
    const endpoints = {
      AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
      AWS_ENDPOINT_URL_SQS: queues.endpoint,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: jwksOrigin,
    };
    for (const definition of template.functions()) {
      const code = assetFolders.get(definition.codeKey);
      if (!code) throw new Error(`The cloud assembly has no asset ${definition.codeKey}.`);
      const operation = new LambdaFunction({ definition, folder: code, endpoints, log });
      functions.set(definition.logicalId, operation);
    }
    for (const source of template.eventSources()) {
      const operation = functions.get(source.functionLogicalId);
      if (operation) queues.poll(source, operation);
    }

    const outputs: LocalOutputs = {
      ...stackOutputs,
      ApiUrl,
      DynamoDbEndpoint: database.endpoint,
      SqsEndpoint: queues.endpoint,
      JwksUri: `${jwksOrigin}${jwksPath(issuer.userPoolId)}`,
    };
    const written = `${JSON.stringify({ [stackName]: outputs }, null, 2)}\n`;
    await writeFile(outputsFile, written);
    return {
      outputs,
      issuer,
      servers: { gateway, jwks, database: database.server },
      functions,
      stop: async () => {
        // Another server may have been started in the folder since.
        const isOurs = (await readFile(outputsFile, 'utf8').catch(() => '')) === written;
        if (isOurs) await rm(outputsFile);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The key that signs local tokens, kept so that a token outlives a restart of the server. */
async function signingKeyIn(folder: string): Promise<SigningKey> {
  const file = join(folder, SIGNING_KEY_FILE);
  await mkdir(folder, { recursive: true });
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept) {
    try {
      return JSON.parse(kept);
    } catch {
      throw new CommandError(`${file} is not a key any more. Delete it, and a new one is made.`);
    }
  }
  const key = await generateSigningKey();
  await writeFile(file, JSON.stringify(key), { mode: 0o600 });
  return key;
}

/**
 * Reads the issuer of the server that writes into a folder.
 *
 * @throws CommandError when no server is running.
 */
export async function runningIssuer(folder: string): Promise<Issuer> {
  const notRunning = new CommandError('The local server is not running. Start it with npm start.');
  const read = (file: string) => readFile(join(folder, file), 'utf8').then(JSON.parse);
  try {
    const [outputs] = Object.values<LocalOutputs>(await read(OUTPUTS_FILE));
    if (!outputs) throw notRunning;
    // An outputs file can outlive a server that was killed: ask.
    await fetch(outputs.JwksUri);
    return {
      userPoolId: outputs.UserPoolId,
      userPoolClientId: outputs.UserPoolClientId.split(',')[0] ?? '',
      signingKey: await read(SIGNING_KEY_FILE),
    };
  } catch {
    throw notRunning;
  }
}
