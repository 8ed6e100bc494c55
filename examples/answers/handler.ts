import { gunzipSync, gzipSync } from 'node:zlib';
import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtExpiredError } from 'aws-jwt-verify/error';
import type { APIGatewayProxyEventV2 as Event } from 'aws-lambda';
import { answersToStore, checkAnswers, fieldsFor, getConfig } from 'customer-data-api-sdk';
import * as v from 'valibot';

const { ANSWERS_TABLE, CONFIGURATIONS_TABLE, USER_ID_CLAIM = '', ...env } = process.env;
const [appClients = [], guests = []] = [env.APP_CLIENTS, env.GUESTS].map((ids) => ids?.split(','));
/** Begins the name of the attribute of a field: an update sets some, and keeps all others. */
const FIELD = 'field ';
const id = v.pipe(v.string(), v.nonEmpty());
const screen = v.picklist(['register', 'profile']);
const answers = v.record(v.string(), v.array(v.array(v.string())));
const body = v.object({ clientId: id, configVersion: id, screen, answers });
const Submission = v.pipe(v.string(), v.parseJson(), body);
const logger = new Logger();
const document = DynamoDBDocument.from(new DynamoDBClient());
const pool = { userPoolId: String(env.USER_POOL_ID), clientId: appClients };
/** Exported for `local.ts`, which gives it the keys of the local issuer. */
export const verifier = CognitoJwtVerifier.create({ ...pool, tokenUse: 'id' });

/** A problem that the caller reads of. */
class Problem extends Error {
  readonly statusCode: number;
  readonly body: object;
  constructor(statusCode: number, code: string, message: string, errors: object[] = [{ message }]) {
    super(message);
    this.statusCode = statusCode;
    const data = { message, code, statusCode, retryable: statusCode === 429 || statusCode >= 500 };
    const entries = errors.map((error) => ({ ...error, code }));
    this.body = { errors: entries, data, ...(statusCode === 401 && { message }) };
  }
}
const unavailable = () => new Problem(503, 'ServiceUnavailableException', 'Try again later.');
const invalid = (problems: readonly { message: string; path: readonly unknown[] }[]) => {
  const part = (key: unknown) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const errors = problems.map(({ path, ...one }) => ({ ...one, pointer: path.map(part).join('') }));
  const message = problems.map((one) => one.message).join(' ');
  return new Problem(400, 'ValidationException', message, errors);
};

/** Stores the answers of a screen (POST), or returns those to all fields of a client (GET). */
export async function handler(event: Event) {
  const { statusCode, body } = await answerTo(event).catch((error: Error) => {
    if (error instanceof Problem) return error;
    logger.error('A request failed', error);
    return unavailable();
  });
  const type = 'application/json; charset=utf-8';
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  const envelope = { errors: [], warnings: [], notices: [], ...body };
  return { statusCode, headers, body: JSON.stringify(envelope) };
}

async function answerTo(event: Event): Promise<{ statusCode: number; body: object }> {
  const { method, path } = event.requestContext.http;
  const operation = `${method} ${path}`;
  if (operation === 'POST /answers') return { statusCode: 200, body: await store(event) };
  if (operation === 'GET /answers') return { statusCode: 200, body: await read(event) };
  throw new Problem(404, 'ResourceNotFoundException', 'There are GET and POST of /answers.');
}

/** Verifies the ID token, and returns it with the user whom it names. */
async function customerOf({ headers }: Event) {
  const token = headers.authorization?.replace(/^bearer +/i, '') ?? '';
  const claims = await verifier.verify(token).catch((error: Error) => {
    // Without the keys of the user pool, nobody is signed out.
    if (error instanceof FetchError) throw unavailable();
    if (!(error instanceof JwtExpiredError)) throw new Problem(401, 'Unauthorized', 'Unauthorized');
    throw new Problem(400, 'NotAuthorizedException', 'Access Token has expired');
  });
  const { [USER_ID_CLAIM]: userId, [`${USER_ID_CLAIM}_verified`]: verified } = claims;
  const needsNone = !['email', 'phone_number'].includes(USER_ID_CLAIM);
  const isCustomer = typeof userId === 'string' && !guests.includes(userId);
  if (isCustomer && (needsNone || String(verified) === 'true')) return { token, userId };
  throw new Problem(403, 'ForbiddenException', 'This token is no customer: sign up first.');
}

async function store(event: Event) {
  const { token, userId } = await customerOf(event);
  const { clientId, configVersion, screen, answers } = submissionOf(event);
  const { language = null, ...form } = await formOf(event, token, clientId, configVersion);
  const given = new Map(Object.entries(answers));
  const fields = fieldsFor(form, screen);
  const problems = fields.flatMap((field) =>
    checkAnswers(field, given.get(field.id) ?? []).map(({ code, instance, input }) => {
      const path = ['answers', field.id, instance, input];
      return { message: `${field.fieldName}: ${code}`, reason: code, path };
    }),
  );
  if (problems.length > 0) throw invalid(problems);
  const saved = fields.flatMap((field) => {
    const rows = given.get(field.id);
    if (!rows) return [];
    return { id: field.id, answers: answersToStore(field, rows), configVersion, language };
  });
  const names = saved.map(({ id }, at) => [`#${at}`, FIELD + id]);
  const values = saved.map((one, at) => [`:${at}`, one]);
  const sets = ['#at = :at', ...saved.map((_, at) => `#${at} = :${at}`)];
  await document.update({
    TableName: ANSWERS_TABLE,
    Key: { userId, clientId },
    UpdateExpression: `SET ${sets.join()}`,
    ExpressionAttributeNames: { '#at': 'savedAt', ...Object.fromEntries(names) },
    ExpressionAttributeValues: { ':at': new Date().toISOString(), ...Object.fromEntries(values) },
  });
  const others = [...given.keys()].filter((id) => !saved.some((one) => one.id === id));
  return { warnings: others.map((id) => `Not on this screen, not stored: ${id}`), data: { saved } };
}

async function read(event: Event) {
  const { userId } = await customerOf(event);
  const clientId = event.queryStringParameters?.clientId ?? '';
  if (!clientId) throw invalid([{ message: 'The parameter clientId is missing.', path: [] }]);
  const item = { TableName: ANSWERS_TABLE, Key: { userId, clientId }, ConsistentRead: true };
  const { Item = {} } = await document.get(item);
  const saved = Object.entries(Item).flatMap(([name, one]) => (name.startsWith(FIELD) ? one : []));
  const answers = Object.fromEntries(saved.map((one) => [one.id, one.answers]));
  return { data: { answers, saved } };
}

function submissionOf({ body = '', isBase64Encoded }: Event) {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > 65_536) throw new Problem(413, 'PayloadTooLargeException', 'At most 64 KB.');
  const { output, issues } = v.safeParse(Submission, bytes.toString());
  if (!issues) return output;
  const pathOf = ({ path }: (typeof issues)[number]) => path?.map(({ key }) => key) ?? [];
  throw invalid(issues.map((issue) => ({ message: issue.message, path: pathOf(issue) })));
}

/** The configurations that this environment has stored. */
const kept = new Set<string>();

/** Returns a form, the phone's own with its language. The service decides if the token is good. */
async function formOf({ headers }: Event, token: string, clientId: string, configVersion: string) {
  const service = { baseUrl: String(env.API_URL), appId: String(env.APP_ID) };
  const customer = { idToken: () => token, language: headers['accept-language'] };
  // By its ids, a phone gets the candidate of a rollout.
  const session = { ...service, ...customer, deviceId: headers['device-id'] };
  const phone = { installationId: headers['installation-id'], signal: AbortSignal.timeout(8000) };
  const result = await getConfig(session, { clientId }, phone);
  if (result.outcome === 'error' || result.outcome === 'tokenExpired') {
    const { statusCode, code, message } = result.error;
    throw new Problem(statusCode, code, message);
  }
  if (result.outcome !== 'success') throw unavailable();
  const { language: _, ...form } = result.data;
  const { configVersion: current } = form;
  const key = `${current} ${clientId}`;
  // Compressed, because an item has 400 KB at most.
  const item = { clientId, configVersion: current, form: gzipSync(JSON.stringify(form)) };
  if (!kept.has(key)) await document.put({ TableName: CONFIGURATIONS_TABLE, Item: item });
  kept.add(key);
  if (current === configVersion) return result.data;
  const Key = { clientId, configVersion };
  const { Item } = await document.get({ TableName: CONFIGURATIONS_TABLE, Key });
  if (Item) return JSON.parse(String(gunzipSync(Item.form))) as typeof result.data;
  throw new Problem(409, 'ConflictException', 'Load the form again, and keep what was entered.');
}
