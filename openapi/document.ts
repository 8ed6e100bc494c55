import { readFile } from 'node:fs/promises';
import { DEVICE_ID_MAX } from '../core/device.ts';
import { errorEnvelope, successEnvelope } from '../functions/http/envelope.ts';
import type { Operation } from '../functions/http/operation.ts';
import {
  CONFIG_VERSION,
  CONTENT_LANGUAGE,
  HEADERS,
  type Header,
  OPTIONAL_HEADERS,
  type OptionalHeader,
} from '../functions/http/request-headers.ts';
import { MAX_BODY_BYTES } from '../functions/middlewares/validate-body.ts';
import { OPERATIONS } from '../functions/operations.ts';
import { ERROR_RESPONSES } from './error-responses.ts';
import {
  appIdSchema,
  envelopeSchemaName,
  jsonSchemas,
  PARAMETERS,
  parameterName,
  ref,
  requestSchemaName,
} from './json-schemas.ts';

const PACKAGE = new URL('../package.json', import.meta.url);

/** The headers of responses, with what apps do with them. */
const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  Date: 'The time of the server (RFC 9110 section 6.6.1). It shows how wrong the clock of the phone is.',
  'x-amzn-RequestId': 'The id of the request, to report problems with.',
  Allow: 'The method to use.',
  [CONTENT_LANGUAGE]:
    'The language of the texts, if the request has Accept-Language and the language is known (RFC 5646).',
  [CONFIG_VERSION]:
    'The digest of the configuration, the same in all languages. Store it with answers, and report it with crashes.',
  'Retry-After': 'How many seconds to wait at least before the request is sent again.',
};

/** The optional headers of requests. */
const OPTIONAL_PARAMETERS: Readonly<
  Record<OptionalHeader, { readonly description: string; readonly example: string }>
> = {
  acceptLanguage: {
    description:
      'The languages that the customer reads, best first (RFC 9110 section 12.5.4). The response is in the first one that the configuration has, or else in its own. A malformed part is ignored.',
    example: 'de-AT, de;q=0.9, en;q=0.5',
  },
  installationId: {
    description: `An id that the app made for its installation, such as a UUID, with at most ${DEVICE_ID_MAX} characters. It decides whether the share of a rollout includes the device. An app that has none yet sends 0, and no share includes the device; the same is true of several ids. Without this header, the Device-Id decides, unless it is all zeros or another placeholder.`,
    example: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
  },
};
const OPTIONAL = Object.keys(OPTIONAL_PARAMETERS) as OptionalHeader[];

/** The headers that the gateway adds to every response. */
const EVERYWHERE = ['Date', 'x-amzn-RequestId'];

/** A row for each code, with its status. */
const CODES = [
  ...new Map(
    Object.values(ERROR_RESPONSES)
      .flatMap(({ examples }) => Object.values(examples))
      .map(({ code, statusCode, retryable }) => [
        code,
        `| \`${code}\` | ${statusCode} | ${retryable ? 'yes' : 'no'} |`,
      ]),
  ).values(),
].join('\n');

const DESCRIPTION = `Every operation is a POST of a JSON object of at most ${MAX_BODY_BYTES / 1024} KB, in UTF-8.

**Every response has the keys \`errors\`, \`warnings\`, \`notices\` and \`data\`, whichever component produced it. Decide
between success and error by the length of \`errors\`**: if it is greater than zero, \`data\` is the error structure.

The service removes properties of a request that are not described here, and a warning names them. It refuses properties
named \`__proto__\`, and strings with control characters, lone surrogates or U+FFFD, which replaces bytes that are not UTF-8.

A request carries these headers, each once:

\`\`\`
${Object.values(HEADERS)
  .map(({ name, placeholder }) => `${name}: ${placeholder}`)
  .join('\n')}
\`\`\`

The service checks headers, token, body, client and App-Id, and user, in this order. The first check that fails determines
the response.

The codes of errors. A later release may add some: for those, decide by \`retryable\`.

| code | status | retryable |
| --- | --- | --- |
${CODES}`;

/**
 * Generates the API's OpenAPI 3.1 document, checked in as `openapi.json`, from the schemas, limits
 * and errors of the functions.
 */
export async function openApiDocument() {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  const appId = appIdSchema();
  const schemas = jsonSchemas();
  return {
    openapi: '3.1.1',
    info: {
      title: 'customer-data-api',
      version,
      summary: 'Customer data configuration and promo codes for mobile apps.',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The output ApiUrl of a deployment. The default is the local server.',
        variables: {
          base_url: {
            default: 'http://127.0.0.1:3000',
          },
        },
      },
    ],
    security: [{ idToken: [], appId: [] }],
    paths: Object.fromEntries(OPERATIONS.map((operation) => [operation.path, pathItem(operation)])),
    components: {
      securitySchemes: {
        idToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            '`Authorization: Bearer <ID_TOKEN>` with the ID token of the Cognito user pool, not the access token.',
        },
        appId: {
          type: 'apiKey',
          in: 'header',
          name: HEADERS.appId.name,
          description: `${appId.description} ${appId.minLength} to ${appId.maxLength} printable ASCII characters.`,
        },
      },
      parameters: {
        ...Object.fromEntries(
          PARAMETERS.map((header) => [parameterName(header), requiredParameter(header)]),
        ),
        ...Object.fromEntries(
          OPTIONAL.map((header) => [parameterName(header), optionalParameter(header)]),
        ),
      },
      schemas,
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      responses: Object.fromEntries(
        Object.entries(ERROR_RESPONSES).map(
          ([name, { description, schema, headers, examples }]) => [
            name,
            {
              description,
              headers: headersOf(headers),
              content: {
                'application/json': {
                  schema: ref(schema),
                  examples: Object.fromEntries(
                    Object.entries(examples).map(([example, error]) => [
                      example,
                      { value: errorEnvelope(error) },
                    ]),
                  ),
                },
              },
            },
          ],
        ),
      ),
    },
  };
}

/** Makes the path item of an operation. All operations are POSTs with the same headers. */
function pathItem(operation: Operation) {
  const { operationId, summary, description, example, hasVariants } = operation;
  const headers = [...PARAMETERS, ...(hasVariants ? OPTIONAL : [])];
  return {
    parameters: headers.map((header) => ({
      $ref: `#/components/parameters/${parameterName(header)}`,
    })),
    post: {
      operationId,
      summary,
      description,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref(requestSchemaName(operation)),
            example: example.request,
          },
        },
      },
      responses: responses(operation),
    },
  };
}

function requiredParameter(header: Header) {
  const schema = parameterName(header);
  const description = jsonSchemas()[schema]?.description;
  const { name } = HEADERS[header];
  return { name, in: 'header', required: true, description, schema: ref(schema) };
}

function optionalParameter(header: OptionalHeader) {
  const { description, example } = OPTIONAL_PARAMETERS[header];
  const { name } = OPTIONAL_HEADERS[header];
  const schema = { type: 'string', examples: [example] };
  return { name, in: 'header', required: false, description, schema };
}

/** Returns an operation's responses by status: success, common errors and its own errors. */
function responses(operation: Operation) {
  const example = successEnvelope(operation.example.data(), { warnings: [], notices: [] });
  const errors = Object.entries(ERROR_RESPONSES)
    .filter(([name, { everywhere }]) => everywhere || operation.errors.some((own) => own === name))
    .map(([name, { statusCode }]) => [statusCode, { $ref: `#/components/responses/${name}` }]);
  return {
    200: {
      description: 'Success: `errors` is empty.',
      headers: headersOf(operation.hasVariants ? [CONTENT_LANGUAGE, CONFIG_VERSION] : []),
      content: { 'application/json': { schema: ref(envelopeSchemaName(operation)), example } },
    },
    ...Object.fromEntries(errors),
  };
}

function headersOf(names: readonly string[] = []) {
  return Object.fromEntries(
    [...EVERYWHERE, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
