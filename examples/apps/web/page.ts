import {
  type AppUi,
  answersToStore,
  type Configuration,
  fieldsFor,
  installationIdIn,
  loadConfiguration,
  type StoredAnswers,
} from 'customer-data-api-sdk';
import { CustomerDataField, TEXTS } from 'customer-data-api-sdk/form';

/*
 * A page with the form of a screen:
 * page.html#baseUrl=…&idToken=…&ui=register&language=de&answersUrl=http://127.0.0.1:3001/answers
 */

/** The app's own texts, and the direction that they are read in. */
const OWN = {
  en: {
    dir: 'ltr',
    title: 'Registration',
    submit: 'Continue',
    mandatory: 'mandatory',
    again: 'This was not saved. Please check it, and continue again.',
  },
  de: {
    dir: 'ltr',
    title: 'Registrierung',
    submit: 'Weiter',
    mandatory: 'Pflichtfeld',
    again: 'Das wurde nicht gespeichert. Bitte prüfen Sie es, und gehen Sie noch einmal weiter.',
  },
  fr: {
    dir: 'ltr',
    title: 'Inscription',
    submit: 'Continuer',
    mandatory: 'obligatoire',
    again: 'Ce n’est pas enregistré. Veuillez vérifier, puis continuer encore.',
  },
  ar: {
    dir: 'rtl',
    title: 'التسجيل',
    submit: 'متابعة',
    mandatory: 'إلزامي',
    again: 'لم يتم الحفظ. يرجى التحقق ثم المتابعة مرة أخرى.',
  },
};
type Language = keyof typeof OWN;

const settings = new URLSearchParams(location.hash.slice(1));
const ui = (settings.get('ui') ?? 'register') as AppUi;
const form = document.querySelector('form') as HTMLFormElement;
const [title, menu, submit, alert] = ['h1', 'select', '[type=submit]', '[role=alert]'].map(
  (selector) => document.querySelector(selector),
) as [HTMLElement, HTMLSelectElement, HTMLButtonElement, HTMLElement];

const session = {
  baseUrl: settings.get('baseUrl') ?? 'http://127.0.0.1:3000',
  appId: 'demo-app-key',
  deviceId: null,
  idToken: () => settings.get('idToken'),
  /** The language that the customer chose in the app. Without a choice, it is the platform's. */
  language: settings.get('language'),
};

/** Your own API, such as that of examples/answers. Without one, the answers stay on the phone. */
const answersUrl = settings.get('answersUrl');

async function callAnswers(query: string, body?: object) {
  const headers = {
    Authorization: `Bearer ${session.idToken()}`,
    'Content-Type': 'application/json',
    'Installation-Id': (await installationIdIn(localStorage)) ?? '0',
    ...(session.language && { 'Accept-Language': session.language }),
  };
  const request = body && { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(`${answersUrl}${query}`, { ...request, headers })).json();
}

/** All answers of the customer, those of other screens too: your own API stores them. */
let stored: StoredAnswers = JSON.parse(localStorage.getItem('answers') ?? '{}');
if (answersUrl) {
  const { data } = await callAnswers('?clientId=demo').catch(() => ({ data: {} }));
  stored = { ...stored, ...data.answers };
}

let configuration: Configuration | undefined;
const drawn = new Map<string, CustomerDataField>();
let shown: ReturnType<typeof fieldsFor> = [];

/** Shows the fields in the language of the session. */
async function show(): Promise<void> {
  const { language } = session;
  const [tag = ''] = (language ?? navigator.language).split('-');
  const own = Object.hasOwn(OWN, tag) ? (tag as Language) : 'en';
  // Without a configuration, the customer registers without the fields.
  const loaded = await loadConfiguration(session, { clientId: 'demo', storage: localStorage });
  // The customer has changed the language again.
  if (session.language !== language) return;
  configuration = loaded;
  const texts = OWN[own];
  Object.assign(document.documentElement, { lang: own, dir: texts.dir });
  TEXTS.mandatory = texts.mandatory;
  [title.textContent, menu.value, submit.textContent] = [texts.title, own, texts.submit];
  shown = fieldsFor(configuration, ui);
  const elements = shown.map((field) => {
    // A field has the same id and values in all languages: what the customer entered stays.
    const element =
      drawn.get(field.id) ?? Object.assign(new CustomerDataField(), { answers: stored[field.id] });
    drawn.set(field.id, element);
    return Object.assign(element, { field });
  });
  form.replaceChildren(...elements, submit);
}

menu.addEventListener('change', () => {
  session.language = menu.value;
  void show();
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const elements = shown.flatMap(({ id }) => drawn.get(id) ?? []);
  // From the last on, so that the first problem has the focus.
  const isComplete = elements
    .toReversed()
    .map((one) => one.check())
    .every(Boolean);
  const answers = shown.map((field, index) => [
    field.id,
    answersToStore(field, elements[index]?.answers ?? []),
  ]);
  if (isComplete) void save(Object.fromEntries(answers));
});

/** Saves what was entered. If it is refused, it stays in the form. */
async function save(answers: StoredAnswers): Promise<void> {
  const configVersion = configuration?.configVersion ?? '';
  alert.textContent = '';
  if (answersUrl) {
    const submission = { clientId: 'demo', configVersion, screen: ui, answers };
    const { errors, data } = await callAnswers('', submission).catch(() => ({ errors: ['none'] }));
    if (errors.length > 0) {
      // The form is of another version than the API knows.
      if (data?.code === 'ConflictException') await show();
      alert.textContent = OWN[document.documentElement.lang as Language].again;
      return;
    }
  }
  stored = { ...stored, ...answers };
  form.dataset.answers = JSON.stringify(stored);
  localStorage.setItem('answers', form.dataset.answers);
  localStorage.setItem('configVersion', configVersion);
}

await show();
