import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { newFolder } from '../../test/support/new-folder.ts';
import { type Fate, startPhoneNetwork } from '../../test/support/phone-network.ts';
import { pathIn } from '../queues/campaign.ts';
import type { QueueProgram } from '../queues/phone.ts';
import type { QueueService } from '../queues/service.ts';
import { print } from '../queues/try-queue.ts';

const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

const FIELDS = [
  'Company: text of at most 40 characters',
  'Preferred contact: one of By e-mail, By phone, Please do not',
  'Car: one of Volkswagen, Toyota, Another make and text of at most 10 characters',
  "Child's year of birth: text of at most 4 characters",
];

/** A run of the app, on the storage that the run before left. */
interface Run {
  readonly name: string;
  readonly code: string;
  /** The lines about the code. */
  readonly says: readonly string[];
  readonly isTokenExpired?: boolean;
  readonly clockOffset?: number;
  /** Changes the response of `getConfig`. */
  readonly change?: (body: string) => string;
  /** True if the first attempt to apply the code is redirected to where every code is refused. */
  readonly isRedirected?: boolean;
}

const RUNS: readonly Run[] = [
  { name: 'a code', code: 'ONE', says: ['ONE: applied'] },
  { name: 'the code again', code: 'ONE', says: ['ONE: repeated'] },
  {
    name: 'an expired token',
    code: 'TWO',
    isTokenExpired: true,
    says: ['TWO waits: The tokens could not be refreshed.'],
  },
  { name: 'a new token', code: 'TWO', says: ['TWO: applied'] },
  { name: 'a wrong clock', code: 'THREE', clockOffset: TWO_DAYS_MS, says: ['THREE: applied'] },
  {
    name: 'a new kind of field beside known ones',
    code: 'FOUR',
    change: (body) => {
      const { data, ...envelope } = JSON.parse(body);
      const [field] = data.fields;
      const fields = [{ ...field, id: '9', fieldType: 'date' }, ...data.fields];
      return JSON.stringify({ ...envelope, data: { ...data, fields } });
    },
    says: ['FOUR: applied'],
  },
  {
    name: 'a page instead of the configuration',
    code: 'FIVE',
    change: () => '<html>',
    says: ['FIVE: applied'],
  },
  {
    name: 'a redirect',
    code: 'SIX',
    isRedirected: true,
    says: ['SIX waits: The service did not answer.', 'SIX: applied'],
  },
];

/** Lets the app of the examples call the service. Returns what went wrong. */
export async function tryCalls(service: QueueService, app: QueueProgram): Promise<string[]> {
  await using folder = await newFolder(app.root);
  const USER_ID = 'swift-user';
  const { EXPIRED_TOKEN, ID_TOKEN } = await service.tokensOf(USER_ID);
  const failures: string[] = [];
  const headers = { Location: `${service.url}/elsewhere` };
  const elsewhere: Fate = () => new Response('', { status: 302, headers });
  // A stored configuration belongs to a base URL.
  await using network = await startPhoneNetwork(service.url);
  for (const { name, code, says, isTokenExpired, clockOffset = 0, change, isRedirected } of RUNS) {
    const fates = (isRedirected ? [elsewhere] : []).values();
    network.fateOf = () => fates.next().value ?? 'arrives';
    network.clockOffset = clockOffset;
    network.change = (body) => (body.includes('"fields"') && change ? change(body) : body);
    const env = {
      ...process.env,
      USER_ID,
      API_URL: network.url,
      PROMO_CODE: code,
      ID_TOKEN: isTokenExpired ? EXPIRED_TOKEN : ID_TOKEN,
      FOLDER: pathIn(app.root, folder.path),
    };
    const { stdout } = await promisify(execFile)(app.command, app.args, { env });
    const isRight = isDeepStrictEqual(stdout.trim().split('\n'), [...FIELDS, ...says]);
    const line = `swift, ${name}: ${isRight ? says.join(', ') : `WRONG ${stdout}`}`;
    print(line);
    if (!isRight) failures.push(line);
  }
  return failures;
}
