/* Beside `local.ts`: two phones of a customer save two screens at once. */
import { type AppUi, getConfig, type StoredAnswers } from 'customer-data-api-sdk';

const { ANSWERS_URL = '', API_URL = '', ID_TOKEN = '' } = process.env;
const session = {
  baseUrl: API_URL,
  appId: 'demo-app-key',
  deviceId: '00000000-0000-0000-0000-000000000000',
  idToken: () => ID_TOKEN,
};
const headers = { Authorization: `Bearer ${ID_TOKEN}`, 'Content-Type': 'application/json' };

/** Loads the form of a screen, and saves what the customer answers. */
async function save(screen: AppUi, answers: StoredAnswers): Promise<void> {
  const form = await getConfig(session, { clientId: 'demo' });
  if (form.outcome !== 'success') throw new Error(form.outcome);
  const { configVersion } = form.data;
  const body = JSON.stringify({ clientId: 'demo', configVersion, screen, answers });
  const response = await fetch(ANSWERS_URL, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
}

await Promise.all([
  save('register', { 1: [['Café Milán']], 2: [['phone']], 3: [['vw', 'M-AB 123']] }),
  save('profile', { 2: [['phone']], 4: [['2019'], ['2021']] }),
]);
const response = await fetch(`${ANSWERS_URL}?clientId=demo`, { headers });
process.stdout.write(`${await response.text()}\n`);
