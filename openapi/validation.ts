import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read along its paths
type Json = any;

/** The checked-in document. */
export const DOCUMENT: Json = readDocument('openapi.json');

/** The checked-in document of the events on the bus. */
export const EVENTS_DOCUMENT: Json = readDocument('asyncapi.json');

function readDocument(name: string): Json {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
}

const ID = 'openapi.json';
const EVENTS_ID = 'asyncapi.json';

/** Has the schemas of the documents, each changed by a function. */
function schemas(change: (document: Json) => Json): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // `int64` is for generators; schemas have the bounds of integers.
    formats: { int64: true, 'date-time': /^\d{4}(-\d\d){2}T\d\d(:\d\d){2}(\.\d{1,9})?Z$/ },
  });
  ajv.addSchema(change(DOCUMENT), ID);
  ajv.addSchema(change(EVENTS_DOCUMENT), EVENTS_ID);
  return ajv;
}

/** Apps must ignore undescribed properties, which a later release may send. */
const OF_APPS = schemas((document) => document);
const OF_THE_SERVICE = schemas(closed);

/** Forbids undescribed properties, which the service must not send, unless an object has a rule. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, closed(child)]),
  );
  const isOpen = copy.type === 'object' && copy.properties && !copy.unevaluatedProperties;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** Returns a validator for the schema at a JSON Pointer of the document. */
export function validatorAt(pointer: string, ajv = OF_THE_SERVICE): ValidateFunction {
  const $ref = `${ID}#${pointer}`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}

/**
 * Lists deviations of a response from the document, as an app of this release sees them. An unknown
 * path must be "not found", or 400 or 415 if the gateway cannot read the request.
 */
export function responseDeviations(
  path: string,
  status: number | undefined,
  body: unknown,
  ajv = OF_APPS,
): string[] {
  const responses = DOCUMENT.paths[path]?.post.responses ?? {
    400: { $ref: '#/components/responses/BadRequest' },
    404: { $ref: '#/components/responses/NotFound' },
    415: { $ref: '#/components/responses/UnsupportedMediaType' },
  };
  const response = responses[String(status)];
  if (!response)
    return [`the status is ${status}, not one of ${Object.keys(responses).join(', ')}`];
  const pointer =
    response.$ref?.slice(1) ?? `/paths/${path.replaceAll('/', '~1')}/post/responses/${status}`;
  const validate = validatorAt(`${pointer}/content/application~1json/schema`, ajv);
  validate(body);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}

/** Lists, with the deviations of a response, the properties that the document does not describe. */
export function exactResponseDeviations(
  path: string,
  status: number | undefined,
  body: unknown,
): string[] {
  return responseDeviations(path, status, body, OF_THE_SERVICE);
}

/** Lists deviations of an event on the bus from the document. */
export function eventDeviations(event: Readonly<Record<string, unknown>>): string[] {
  const messages = Object.keys(EVENTS_DOCUMENT.components.messages);
  const validators = messages.map((name) =>
    OF_THE_SERVICE.compile({ $ref: `${EVENTS_ID}#/components/schemas/${name}` }),
  );
  if (validators.some((validate) => validate(event))) return [];
  return validators.flatMap(({ errors }) =>
    (errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the event'} ${message}`),
  );
}
