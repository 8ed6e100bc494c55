import type { ConfigsItem } from '../client-attributes.ts';
import { languageTag } from '../configuration/languages.ts';
import type { StoredMap } from '../configuration/stored-map.ts';
import { languagesOf, type Text, textsByLanguage, textsOf } from '../configuration/translations.ts';
import { type Effect, effect } from './effect.ts';
import { listed, quoted } from './facts.ts';
import { servedFields } from './lost-fields.ts';

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

/** Tells that a language appears, and how many texts it lacks. */
function appearance(
  language: string,
  originals: number,
  translated: readonly Text[],
  own = '',
): Effect {
  const of = originals + translated.filter(({ original }) => original === '').length;
  const missing = { language: own, count: of - translated.length, of };
  return effect('languageAdded', { language, missing });
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

/** Lists the translations of a language that stay. */
function keeping(language: string, texts: readonly KeptText[]): Effect[] {
  if (texts.length === 0) return [];
  const written = texts.map(({ translation, original }) => ({
    translation: quoted(translation),
    original: quoted(original || undefined),
  }));
  return [effect('textsKept', { language, kept: listed(written, MOST_NAMED) })];
}
