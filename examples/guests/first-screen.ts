/* The first screen of an app: the fields to ask for, before anybody has registered. */
import { type AppStorage, fieldsFor, loadConfiguration, type Session } from 'customer-data-api-sdk';

// Your app has these from the team that deployed the service. Beside `npm start`, the address of
// the guest's token is the output `TokenEndpoint`.
const { API_URL = '', GUEST_URL = '' } = process.env;

let token = '';
async function fetchToken(): Promise<void> {
  const response = await fetch(GUEST_URL, { signal: AbortSignal.timeout(2000) });
  if (!response.ok) throw new Error(`The guest's token: status ${response.status}`);
  token = await response.text();
}

/** The session until the customer signs up. Then make one with their own token. */
const session: Session = {
  baseUrl: API_URL,
  appId: 'demo-app-key',
  deviceId: '00000000-0000-0000-0000-000000000000',
  idToken: async () => {
    if (!token) await fetchToken();
    return token;
  },
  refreshTokens: fetchToken,
};

// Your app has `AsyncStorage`, or `indexedDbStorage()` of the app SDK.
const stored = new Map<string, string>();
const storage: AppStorage = {
  getItem: (key) => stored.get(key),
  setItem: (key, value) => stored.set(key, value),
};

const configuration = await loadConfiguration(session, {
  clientId: 'demo',
  storage,
  onResult: ({ outcome }) => void process.stderr.write(`${outcome}\n`),
});
for (const { fieldName, mandatory } of fieldsFor(configuration, 'register')) {
  process.stdout.write(`${fieldName}${mandatory ? ' *' : ''}\n`);
}
