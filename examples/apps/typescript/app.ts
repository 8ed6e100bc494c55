import {
  applyPromoCode,
  type FormField,
  fieldsFor,
  getConfig,
  type Result,
  type Session,
  type SubField,
} from 'customer-data-api-sdk';

/**
 * Gets what the app has to ask the customer, and applies a promo code to the customer's account.
 */
async function main(): Promise<void> {
  // Your app has these from the team that deployed the service, from Cognito and from the phone.
  const idToken = setting('ID_TOKEN');
  const session: Session = {
    baseUrl: setting('API_URL'),
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    idToken: () => idToken,
    // What the customer chose in the app. Without a choice, it is the platform's.
    language: process.env.APP_LANGUAGE,
  };
  // Sends a request again, with the same date, while the response is lost or retryable.
  const options = { retry: true, retryMs: 30_000 };

  const configuration = dataOf(await getConfig(session, { clientId: 'demo' }, options));
  for (const field of fieldsFor(configuration, 'profile')) print(describe(field));

  const request = {
    clientId: 'demo',
    // What the customer entered.
    promoCode: process.env.PROMO_CODE ?? 'TYPESCRIPT',
    userId: 'demo-user',
    eventType: 'promo_applied',
    source: 'profile',
  };
  const { outcome, message } = dataOf(await applyPromoCode(session, request, options));
  print(`${outcome}: ${message}`);
}

/** The data of a success. docs/api.md lists what to do about each failure. */
function dataOf<TData>(result: Result<TData>): TData {
  switch (result.outcome) {
    case 'success':
      return result.data;
    case 'error':
      throw new Error(
        `${result.error.code}: ${result.errors.map(({ message }) => message).join(' ')}`,
      );
    case 'tokenExpired':
      throw new Error(`${result.error.code}: ${result.error.message}`);
    case 'noAnswer':
    case 'notUnderstood':
      throw new Error('The service did not answer.');
    case 'notSent':
      throw new Error('The request was not sent.', { cause: result.cause });
  }
}

function describe({ fieldName, inputs }: FormField): string {
  return `${fieldName}: ${inputs.map(describeInput).join(' and ')}`;
}

function describeInput(input: SubField): string {
  switch (input.subType) {
    case 'text':
      return `text of at most ${input.maxChars} characters`;
    case 'drop':
      return `one of ${input.optionsArray.map(({ display }) => display).join(', ')}`;
  }
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The variable ${name} is not set.`);
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
