import {
  applyPromoCode,
  type Field,
  getConfig,
  type Result,
  type Session,
  type SubField,
} from 'customer-data-api-client';

/** Gets what the app has to ask the customer, and applies a promo code to the customer's account. */
async function main(): Promise<void> {
  // Your app has these from the team that deployed the service, from Cognito and from the phone.
  const session: Session = {
    baseUrl: setting('API_URL'),
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    idToken: () => setting('ID_TOKEN'),
  };

  const { fields } = dataOf(await getConfig(session, { clientId: 'demo' }));
  for (const field of fields) print(describe(field));

  const request = {
    clientId: 'demo',
    promoCode: 'TYPESCRIPT',
    userId: 'demo-user',
    eventType: 'promo_applied',
    source: 'profile',
  };
  // Sends the request again, with the same date, while the response is lost or retryable.
  const { outcome, message } = dataOf(await applyPromoCode(session, request, { retry: true }));
  print(`${outcome}: ${message}`);
}

/** The data of a success. docs/api.md lists what to do about each failure. */
function dataOf<TData>(result: Result<TData>): TData {
  if (result.outcome === 'success') return result.data;
  throw new Error('error' in result ? result.error.code : result.outcome);
}

function describe({ fieldName, ...field }: Field): string {
  const inputs =
    field.fieldType === 'combo' ? [field.subFieldA, field.subFieldB] : [field.subFieldA];
  return `${fieldName}: ${inputs.map(describeInput).join(' and ')}`;
}

function describeInput(input: SubField): string {
  return input.subType === 'text'
    ? `text of at most ${input.maxChars} characters`
    : `one of ${input.optionsArray.map(({ display }) => display).join(', ')}`;
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The variable ${name} is not set.`);
  return value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
