import { CustomerDataField } from '../../packages/sdk/src/form.ts';
import {
  type ApplyPromoCodeRequest,
  type AppUi,
  applyPromoCode,
  type Configuration,
  fieldsFor,
  getConfig,
  indexedDbStorage,
  promoCodeQueue,
  type QueuedResult,
  type Session,
} from '../../packages/sdk/src/index.ts';
import vectors from '../../packages/sdk/test-vectors/fields.json' with { type: 'json' };

/* What the tests call in a page of another origin than the API. */

/** What the page cannot know. */
export interface PageInput {
  readonly session: Pick<Session, 'appId' | 'baseUrl' | 'deviceId'> & { readonly idToken: string };
  readonly request: ApplyPromoCodeRequest;
}

const sessionOf = ({ session }: PageInput) => ({ ...session, idToken: () => session.idToken });

/** Calls each operation. */
export async function callService(input: PageInput) {
  const { request } = input;
  const session = sessionOf(input);
  const queued: QueuedResult[] = [];
  const options = {
    session,
    storage: localStorage,
    clientId: request.clientId,
    userId: request.userId,
    onResult: (result: QueuedResult) => queued.push(result),
  };
  await promoCodeQueue(options).add({ ...request, promoCode: 'QUEUED' });
  await promoCodeQueue(options).send();
  return {
    queued,
    config: await getConfig(session, { clientId: request.clientId }),
    refused: await getConfig({ ...session, appId: 'wrong' }, { clientId: request.clientId }),
    applied: await applyPromoCode(session, request, { retry: true }),
    corrected: await withWrongClock(() =>
      applyPromoCode(session, { ...request, promoCode: 'CLOCK' }, { retry: true }),
    ),
    aborted: await getConfig(session, { clientId: 'demo' }, { signal: AbortSignal.abort() }),
  };
}

/** Two days behind, which the service does not accept. */
async function withWrongClock<T>(run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() - 48 * 60 * 60 * 1000;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

/** Joins the queue of this origin. Returns a function that adds codes to it, and sends it. */
export function joinQueue(input: PageInput, results: number) {
  const reported: string[] = [];
  const all = Promise.withResolvers<void>();
  const queue = promoCodeQueue({
    session: sessionOf(input),
    storage: indexedDbStorage(),
    clientId: input.request.clientId,
    userId: input.request.userId,
    onResult: (result) => {
      if (reported.push(result.request.promoCode) === results) all.resolve();
    },
  });
  /** @returns the codes that were reported, once there are so many. */
  return async (promoCodes: readonly string[]) => {
    await Promise.all(promoCodes.map((promoCode) => queue.add({ ...input.request, promoCode })));
    await queue.send();
    await all.promise;
    return reported.sort();
  };
}

/**
 * Enters the answers of the test vectors into the form. Returns the positions of
 * the inputs that it marks as wrong, for each answer.
 */
export function enterAnswers() {
  return vectors.answers.map(({ field, instances }) => {
    const form = formOf(field);
    form.answers = instances;
    const controls = [...form.querySelectorAll<HTMLInputElement>('input, select')];
    const isComplete = form.check();
    const wrong = controls.flatMap((control, position) =>
      control.getAttribute('aria-invalid') === 'true' ? [position] : [],
    );
    const texts = [...form.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
    const isFocused = document.activeElement === controls[wrong[0] ?? -1];
    form.remove();
    const found = { wrong, isComplete, isFocused, texts: texts.filter(Boolean).length };
    return { inputs: controls.length, found };
  });
}

/** Adds an answer to a form, and removes the other one. */
export function addAnswer() {
  const form = formOf('children');
  const buttons = () => [...form.querySelectorAll('button')];
  let events = 0;
  form.addEventListener('answers', () => events++);
  buttons()[0]?.click();
  const input = document.activeElement as HTMLInputElement;
  input.value = '<b>Ann</b>';
  input.dispatchEvent(new Event('input'));
  const labels = buttons().map(({ textContent }) => textContent);
  const answers = structuredClone(form.answers);
  buttons()[0]?.click();
  return { labels, answers, left: form.answers, events };
}

function formOf(id: string): CustomerDataField {
  const configuration = vectors.configuration as unknown as Configuration;
  const fields = (['register', 'profile'] satisfies AppUi[]).flatMap((ui) =>
    fieldsFor(configuration, ui),
  );
  const field = fields.find((one) => one.id === id);
  if (!field) throw new Error(`There is no field ${id}.`);
  const form = new CustomerDataField();
  document.body.append(form);
  form.field = field;
  return form;
}
