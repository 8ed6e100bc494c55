import { type AppUi, answersToStore, fieldsFor, loadConfiguration } from 'customer-data-api-sdk';
import { CustomerDataField } from 'customer-data-api-sdk/form';

/* A page with the form of a screen: page.html#baseUrl=…&idToken=…&ui=register */

const settings = new URLSearchParams(location.hash.slice(1));
const form = document.querySelector('form') as HTMLFormElement;

const session = {
  baseUrl: settings.get('baseUrl') ?? 'http://127.0.0.1:3000',
  appId: 'demo-app-key',
  deviceId: null,
  idToken: () => settings.get('idToken'),
};
// Without a configuration, the customer registers without the fields.
const configuration = await loadConfiguration(session, {
  clientId: 'demo',
  storage: localStorage,
});

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
  const answers = fields.map((field, index) => [
    field.id,
    answersToStore(field, drawn[index]?.answers ?? []),
  ]);
  // Your own API stores them.
  if (isComplete) form.dataset.answers = JSON.stringify(Object.fromEntries(answers));
});
