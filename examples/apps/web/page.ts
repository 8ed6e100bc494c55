import { type AppUi, fieldsFor, getConfig } from 'customer-data-api-sdk';
import { CustomerDataField } from './customer-data-form.ts';

/* A page with the form of a screen: page.html#baseUrl=…&idToken=…&ui=register */

const settings = new URLSearchParams(location.hash.slice(1));
const form = document.querySelector('form') as HTMLFormElement;
const KEY = 'customer-data-configuration';

const result = await getConfig(
  {
    baseUrl: settings.get('baseUrl') ?? 'http://127.0.0.1:3000',
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    idToken: () => settings.get('idToken'),
  },
  { clientId: 'demo' },
);
if (result.outcome === 'success') localStorage.setItem(KEY, JSON.stringify(result.data));
// Without an answer, the last configuration is shown. Without one, the customer registers without.
const configuration = JSON.parse(localStorage.getItem(KEY) ?? '{"fields":[]}');

const fields = fieldsFor(configuration, (settings.get('ui') ?? 'register') as AppUi);
const drawn = fields.map((field) => Object.assign(new CustomerDataField(), { field }));
form.prepend(...drawn);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  // From the last on, so that the first problem has the focus.
  const isComplete = drawn
    .toReversed()
    .map((one) => one.check())
    .every(Boolean);
  const answers = fields.map(({ id }, index) => [id, drawn[index]?.answers]);
  // Your own API stores them.
  if (isComplete) form.dataset.answers = JSON.stringify(Object.fromEntries(answers));
});
