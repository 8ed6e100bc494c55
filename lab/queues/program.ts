/**
 * Adds codes to the queue of the app SDK, with a storage of files, and sends them until none waits.
 * Prints each step. After a write, it waits for a line.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promoCodeQueue } from '../../packages/sdk/src/index.ts';

const [API_URL = '', USER_ID = '', FOLDER = ''] = ['API_URL', 'USER_ID', 'FOLDER'].map(
  (name) => process.env[name],
);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const print = (line: string) => process.stdout.write(`${line}\n`);

function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

const storage = {
  getItem: (key: string) => {
    const file = join(FOLDER, key);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  },
  setItem: async (key: string, value: string) => {
    const file = join(FOLDER, key);
    writeFileSync(`${file}.new`, value);
    sync(`${file}.new`);
    renameSync(`${file}.new`, file);
    sync(FOLDER);
    print('wrote');
    await lines.next();
  },
};

let token = process.env.EXPIRED_TOKEN;
const queue = promoCodeQueue({
  session: {
    baseUrl: API_URL,
    appId: 'demo-app-key',
    deviceId: null,
    idToken: () => token,
    refreshTokens: () => {
      token = process.env.ID_TOKEN;
    },
  },
  storage,
  clientId: 'demo',
  userId: USER_ID,
  retryMs: 0,
});
for (const promoCode of process.argv.slice(2)) {
  await queue.add({ promoCode, eventType: 'promo_applied', source: 'profile' });
  print('added');
}
while ((await queue.waiting()).length > 0) await queue.send();
process.exit();
