import type { ConfigsItem } from '../client-attributes.ts';
import { languageName } from '../configuration/check-translations.ts';
import { languageTag } from '../configuration/languages.ts';
import type { StoredMap } from '../configuration/stored-map.ts';
import { languagesOf, type Text, textsByLanguage, textsOf } from '../configuration/translations.ts';
import { counted } from '../text.ts';
import { type Effect, effect } from './effect.ts';
import { servedFields } from './lost-fields.ts';
import { listed, quoted } from './words.ts';

/** The most texts that are named of a language. */
const MOST_NAMED = 5;

/**
 * Lists the effects of a change on the languages of a configuration: those that appear, and those
 * in which a text stays while its original changes. That may be right, so it is neutral.
 */
export function languageEffects(before: ConfigsItem, after: ConfigsItem): Effect[] {
  if (languagesOf({ fields: after.fields }).length === 0) return [];
  const [old, fresh] = [before, after].map(fieldsThatAppsGet) as [StoredMap[], StoredMap[]];
  const own = languageTag(after.language);
  const known = new Set(languagesOf({ language: before.language, fields: old }));
  const languages = languagesOf({ fields: fresh }).filter((tag) => tag !== own);
  const texts = textsOf(fresh);
  const originals = texts.filter(({ original }) => original !== '').length;
  const translated = textsByLanguage(texts);
  const kept = keptTexts(old, fresh, texts);
  return [
    ...languages
      // Without fields before, no phone switches.
      .filter((tag) => old.length > 0 && !known.has(tag))
      .map((tag) => appearance(tag, originals, translated.get(tag) ?? [], own)),
    ...languages.flatMap((tag) => keeping(tag, kept.get(tag) ?? [])),
  ];
}

/** Lists the stored fields that apps get. */
function fieldsThatAppsGet({ fields }: ConfigsItem): StoredMap[] {
  const { live } = servedFields(fields);
  return [...live.values()].filter(({ error }) => error === undefined).map(({ stored }) => stored);
}

/** Says that a language appears, and how many texts it lacks. */
function appearance(
  language: string,
  originals: number,
  translated: readonly Text[],
  own: string | undefined,
): Effect {
  const name = languageName(language);
  const added = translated.filter(({ original }) => original === '').length;
  const missing = originals + added - translated.length;
  const others = own === undefined ? 'untranslated' : `in ${languageName(own)}`;
  const lack =
    missing > 0 ? `, with ${missing} of ${counted(originals + added, 'text')} ${others}` : '';
  return effect('languageAdded', { language: name, lack });
}

/** A translation that stays while its original changes. */
interface KeptText {
  readonly language: string;
  readonly translation: string;
  readonly original: string;
}

/** Finds the translations that stay while their originals change, by language. */
function keptTexts(
  old: readonly StoredMap[],
  fresh: readonly StoredMap[],
  texts: readonly Text[],
): ReadonlyMap<string, readonly KeptText[]> {
  const textKey = (fields: readonly StoredMap[], { index, path }: Text) =>
    JSON.stringify([fields[index]?.id, path]);
  const before = new Map(textsOf(old).map((text) => [textKey(old, text), text]));
  const kept = texts.flatMap((text): KeptText[] => {
    const was = before.get(textKey(fresh, text));
    const { original } = text;
    if (!was || was.original === original) return [];
    return (
      [...text.translations]
        // One that is as the new original needs no change.
        .filter(([tag, now]) => was.translations.get(tag) === now && now !== original)
        .map(([language, translation]) => ({ language, translation, original }))
    );
  });
  return Map.groupBy(kept, ({ language }) => language);
}

/** Names the translations of a language that stay. */
function keeping(language: string, kept: readonly KeptText[]): Effect[] {
  if (kept.length === 0) return [];
  const texts =
    kept.length === 1
      ? '1 text stays as it was, although its original changes'
      : `${kept.length} texts stay as they were, although their originals change`;
  const names = listed(
    kept,
    ({ translation, original }) =>
      `${quoted(translation)} for ${original === '' ? 'none' : quoted(original)}`,
    MOST_NAMED,
  );
  return [effect('textsKept', { language: languageName(language), texts, names })];
}
