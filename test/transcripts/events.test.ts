import { expect, vi } from 'vitest';
import { PROMO_REQUEST } from '../support/service.ts';
import { type Desk, scenario } from '../support/transcripts/desk.ts';

const apply = ({ service }: Desk, promoCode: string) =>
  service.applyPromoCode({ body: { ...PROMO_REQUEST, promoCode } });

const codesIn = (text: string) =>
  [...text.matchAll(/"promoCode":\{"S":"(\w+)"/g)].map(([, code]) => code);

scenario(
  'events/so-far',
  'The events on the bus of the local server are printed.',
  async (desk) => {
    const { run } = desk;
    for (const code of ['A', 'B']) await apply(desk, code);
    const listeners = vi.spyOn(process, 'once');
    expect(codesIn((await run('events --no-follow')).stdout)).toEqual(['A', 'B']);
    // The first Ctrl-C ends it as any other program.
    expect(listeners).not.toHaveBeenCalledWith('SIGINT', expect.anything());
    listeners.mockRestore();
    const pattern = '{"detail":{"item":{"promoCode":{"S":["B"]}}}}';
    const { stdout } = await run(`events --no-follow --json --pattern '${pattern}' | cat`);
    expect(codesIn(stdout)).toEqual(['B']);
    await run(`events --no-follow --pattern '{"source":["another"]}'`);
    await run(`events --no-follow --pattern '{"source":[{"cidr":"10.0.0.0/8"}]}'`);
    await run(`events --no-follow --pattern '{'`);
    await run('events --folder elsewhere');
  },
);

scenario('events/until-sigterm', 'New events are printed until a signal.', async (desk) => {
  const { run, transcript, note } = desk;
  await apply(desk, 'OLD');
  const running = run('events | cat');
  for (const code of ['OLD', 'NEW']) {
    if (code === 'NEW') {
      note('The app applies another code.');
      await apply(desk, code);
    }
    const isPrinted = () => codesIn(transcript()).includes(code);
    await vi.waitUntil(isPrinted, { timeout: 10_000, interval: 5 });
  }
  process.emit('SIGTERM');
  expect(codesIn((await running).stdout)).toEqual(['OLD', 'NEW']);
});
