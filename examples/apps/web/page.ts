import {
  type AppUi,
  answersToStore,
  type Configuration,
  fieldsFor,
  loadConfiguration,
  type StoredAnswers,
} from 'customer-data-api-sdk';
import { CustomerDataField, TEXTS } from 'customer-data-api-sdk/form';

/* A page with the form of a screen: page.html#baseUrl=…&idToken=…&ui=register&language=de */

/** The app's own texts, and the direction that they are read in. */
const OWN = {
  en: { dir: 'ltr', title: 'Registration', submit: 'Continue', mandatory: 'mandatory' },
  de: { dir: 'ltr', title: 'Registrierung', submit: 'Weiter', mandatory: 'Pflichtfeld' },
  fr: { dir: 'ltr', title: 'Inscription', submit: 'Continuer', mandatory: 'obligatoire' },
  ar: { dir: 'rtl', title: 'التسجيل', submit: 'متابعة', mandatory: 'إلزامي' },
};
type Language = keyof typeof OWN;

const settings = new URLSearchParams(location.hash.slice(1));
const ui = (settings.get('ui') ?? 'register') as AppUi;
const form = document.querySelector('form') as HTMLFormElement;
const [title, menu, submit] = ['h1', 'select', 'button[type=submit]'].map((selector) =>
  document.querySelector(selector),
) as [HTMLElement, HTMLSelectElement, HTMLButtonElement];

const session = {
  baseUrl: settings.get('baseUrl') ?? 'http://127.0.0.1:3000',
  appId: 'demo-app-key',
  deviceId: null,
  idToken: () => settings.get('idToken'),
  /** The language that the customer chose in the app. Without a choice, it is the platform's. */
  language: settings.get('language'),
};

/** All answers of the customer, those of other screens too: your own API stores them. */
let stored: StoredAnswers = JSON.parse(localStorage.getItem('answers') ?? '{}');

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
  if (!isComplete) return;
  stored = { ...stored, ...Object.fromEntries(answers) };
  form.dataset.answers = JSON.stringify(stored);
  localStorage.setItem('answers', form.dataset.answers);
  localStorage.setItem('configVersion', configuration?.configVersion ?? '');
});

await show();
