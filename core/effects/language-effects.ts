import type { ConfigsItem } from '../client-attributes.ts';
import { languageName } from '../configuration/check-translations.ts';
import { languageTag } from '../configuration/languages.ts';
import type { StoredMap } from '../configuration/stored-map.ts';
import { languagesOf, readTexts, type TranslatableText } from '../configuration/translations.ts';
import { counted } from '../text.ts';
import type { Effect } from './effect.ts';
import { servedFields } from './lost-fields.ts';

/**
 * Lists the effects of a change on the languages of a configuration: those that appear, and those
 * in which a text stays while its original changes. That may be right, so it is neutral.
 */
export function languageEffects(before: ConfigsItem, after: ConfigsItem): Effect[] {
  if (languagesOf({ fields: after.fields }).length === 0) return [];
  const [old, fresh] = [before, after].map(fieldsThatAppsGet) as [StoredMap[], StoredMap[]];
  const own = languageTag(after.language);
  const known = languagesOf({ language: before.language, fields: old });
  const languages = languagesOf({ fields: fresh }).filter((tag) => tag !== own);
  const [oldTexts, newTexts] = [readTexts(old), readTexts(fresh)];
  const appeared = languages
    // Without fields before, no phone switches.
    .filter((tag) => old.length > 0 && !known.includes(tag))
    .map((tag) => appearance(tag, newTexts(tag), own));
  const kept = languages.flatMap((tag) =>
    keptTexts(tag, translated(old, oldTexts(tag)), translated(fresh, newTexts(tag))),
  );
  return [...appeared, ...kept];
}

/** Lists the stored fields that apps get. */
function fieldsThatAppsGet({ fields }: ConfigsItem): StoredMap[] {
  const { live } = servedFields({ fields });
  return [...live.values()].filter(({ error }) => error === undefined).map(({ stored }) => stored);
}

/** Says that a language appears, and how many texts it lacks. */
function appearance(
  language: string,
  texts: readonly TranslatableText[],
  own: string | undefined,
): Effect {
  const name = languageName(language);
  const missing = texts.filter(({ translation }) => translation === undefined).length;
  const others = own === undefined ? 'untranslated' : `in ${languageName(own)}`;
  const lack = missing > 0 ? `, with ${missing} of ${counted(texts.length, 'text')} ${others}` : '';
  const sentence = `Phones in ${name} switch to ${name}${lack}.`;
  return { sentence, more: '… more languages appear', level: 'neutral' };
}

/** Returns the texts that are translated, by the id of their field and their path. */
function translated(
  fields: readonly StoredMap[],
  texts: readonly TranslatableText[],
): Map<string, TranslatableText> {
  return new Map(
    texts
      .filter(({ translation }) => translation !== undefined)
      .map((text) => [JSON.stringify([fields[text.index]?.id, text.path]), text]),
  );
}

/** Names the translations that stay while their originals change. */
function keptTexts(
  language: string,
  before: ReadonlyMap<string, TranslatableText>,
  after: ReadonlyMap<string, TranslatableText>,
): Effect[] {
  const kept = [...after].flatMap(([key, { original, translation = '' }]) => {
    const was = before.get(key);
    const isKept = was?.translation === translation && was.original !== original;
    // One that is as the new original needs no change.
    return isKept && translation !== original
      ? [
          `${JSON.stringify(translation)} for ${original === '' ? 'none' : JSON.stringify(original)}`,
        ]
      : [];
  });
  if (kept.length === 0) return [];
  const texts =
    kept.length === 1
      ? '1 text stays as it was, although its original changes'
      : `${kept.length} texts stay as they were, although their originals change`;
  const sentence = `In ${languageName(language)}, ${texts}: ${kept.join(', ')}.`;
  return [
    { sentence, more: '… more languages keep texts whose originals change', level: 'neutral' },
  ];
}
