import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileOf, PROJECT, run, runFile, sharedAssembly } from 'customer-data-api/testing/processes';
import { type Service, startService } from 'customer-data-api/testing/service';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { close, listen } from 'customer-data-api-deployment/local';
import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';

/*
 * The commands of developers, each in a process of its own: what they print is in golden files,
 * what they do is here.
 */

let service: Service;
const folder = await temporaryFolder();
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Runs commands, and returns what a person would see. */
async function printed(
  lines: readonly (readonly [file: string, args: readonly string[], env?: NodeJS.ProcessEnv])[],
): Promise<string> {
  const runs = lines.map(async ([file, args, env = {}]) => {
    const { code, stdout, stderr } = await runFile(file, args, env);
    const variables = Object.entries(env).map((one) => one.join('='));
    const words = args.map((word) => (/^\S+$/.test(word) ? word : `'${word}'`));
    const line = [...variables, 'node', file, ...words].join(' ');
    const marked = stderr.replaceAll(/^(?=.)/gm, '2> ');
    return `$ ${line}\n${stdout}${marked}[exit ${code}]\n`;
  });
  const all = (await Promise.all(runs)).join('\n');
  return [folder, sharedAssembly()[1] ?? ''].reduce(
    (text, name) => text.replaceAll(name, 'FOLDER'),
    all,
  );
}

test('each command says how to call it', async () => {
  const scripts = ['events', 'fault', 'start', 'token'];
  const { scripts: inPackage } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  for (const name of scripts) expect(inPackage[name]).toBe(`launch ${fileOf(name)}`);
  await expect(
    await printed(scripts.map((name) => [fileOf(name), ['--help']])),
  ).toMatchFileSnapshot('golden/help.txt');
});

test('each command says what is wrong with its options, or what it lacks', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const other = createServer(({ url }, response) => {
    response.statusCode = url === '/keys' ? 200 : 404;
    response.end('Not found');
  });
  const endpoint = await listen(other);
  const outputs = { JwksUri: `${endpoint}/keys`, FaultEndpoint: `${endpoint}/fault` };
  await writeFile(join(folder, 'outputs.json'), JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  const app = sharedAssembly();
  const start = 'packages/local/commands/start.ts';
  const none = ['--folder', join(folder, 'nothing')];
  const shown = await printed([
    [start, [], { PORT: '' }],
    [start, ['--app', folder], { PORT: '65535' }],
    [start, [...none, '--data', file, ...app], { PORT: '0' }],
    [start, ['--data', '']],
    [start, ['--set', 'configCacheSeconds']],
    [start, ['--set', '=1']],
    [start, ['--app', '']],
    [start, ['--fault', 'typo']],
    [start, ['--set', 'a=b', ...app]],
    [start, ['--stage', 'prod', ...app]],
    ...[
      ['--expires-in', 'soon'],
      ['--expires-in', '1.5'],
      ['--expires-in', ' '],
      ['--claims', '{'],
      ['--claims', '[]'],
      none,
    ].map((args): [string, string[]] => ['packages/local/commands/token.ts', args]),
    ['packages/local/commands/fault.ts', ['nothing']],
    ['packages/local/commands/fault.ts', ['--folder', folder, 'slow']],
  ]);
  await close(other);
  await expect(shown).toMatchFileSnapshot('golden/mistakes.txt');
});

test.each(['lab/generated-clients/main.ts', 'lab/app-sdk/main.ts'])(
  '%s --require fails without the programs that it needs, so that no test is left out',
  async (file) => {
    const none = { PATH: folder };
    expect(await runFile(file, ['--require'], none)).toMatchObject({ code: 1, stdout: '' });
  },
);

test('npm run token prints a token with the requested claims, and nothing else', async () => {
  const token = async (...args: string[]) => {
    const { stdout, stderr } = await run('token', ['--folder', service.folder, ...args]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    return decodeJwt(stdout);
  };
  const lifetimeOf = ({ iat = 0, exp = 0 }: JWTPayload) => exp - iat;
  const now = Math.floor(Date.now() / 1000);
  const { UserPoolId, UserPoolClientId } = service.outputs;
  const claims = { aud: 'a', iss: 'b', token_use: 'access', custom: [1] };
  const [plain, ofJane, expired, altered, endless] = await Promise.all([
    token(),
    token('--user', 'jane', '--expires-in', '60'),
    token('--expires-in', '-60'),
    token('--claims', JSON.stringify(claims)),
    token('--claims', '{"exp":null}'),
  ]);
  expect(plain).toMatchObject({
    sub: 'demo-user',
    aud: UserPoolClientId,
    token_use: 'id',
    iss: `https://cognito-idp.us-east-1.amazonaws.com/${UserPoolId}`,
  });
  expect([lifetimeOf(plain), lifetimeOf(ofJane), ofJane.sub]).toEqual([3600, 60, 'jane']);
  expect(expired.exp).toBeLessThan(Date.now() / 1000);
  // As one that was valid before: no token expires before it was issued.
  expect(expired.iat).toBeLessThan(Number(expired.exp));
  expect(plain.iat).toBeGreaterThanOrEqual(now);
  expect(altered).toMatchObject(claims);
  expect(endless).not.toHaveProperty('exp');
});

test('npm run fault switches the fault of the running server', async () => {
  const fault = (...args: string[]) => run('fault', ['--folder', service.folder, ...args]);
  const switched = await fault('throttle');
  expect(switched).toMatchObject({ code: 0, stderr: '' });
  expect((await service.getConfig()).status).toBe(429);
  expect(await fault()).toEqual(switched);
  expect(await fault('none')).toMatchObject({ code: 0 });
  expect((await service.getConfig()).status).toBe(200);
});
