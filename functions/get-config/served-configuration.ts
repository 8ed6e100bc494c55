import type { ConfigsItem } from '../../core/client-attributes.ts';
import type { StoredClient } from '../../core/clients/read-client.ts';
import { candidateRule, type DeviceIds } from '../../core/clients/rollout-devices.ts';
import type { StoredConfiguration } from '../../core/clients/stored-configuration.ts';
import {
  type Configuration,
  readConfiguration,
  type ServedConfiguration,
  translateConfiguration,
} from '../../core/configuration/read-configuration.ts';
import type { AcceptedLanguages } from '../http/accept-language.ts';
import { languageChooser } from './choose-language.ts';

/** The configuration that a device gets. */
interface ChosenConfiguration {
  readonly configuration: LocalizedConfiguration;
  /** The digest of the stored content. */
  readonly version: string;
}

/** Chooses the configuration of a client for a device. */
type ChooseConfiguration = (device: DeviceIds) => ChosenConfiguration;

/**
 * Reads the configuration of a client and, during a rollout, the candidate. Both are read once.
 *
 * @param grow counts the bytes of a translation.
 */
export function readRolledOut(
  client: StoredClient,
  grow: (bytes: number) => void,
): ChooseConfiguration {
  const read = ({ attributes, digest }: StoredConfiguration): ChosenConfiguration => ({
    configuration: readLocalized(attributes, grow),
    version: digest,
  });
  const { rollout } = client;
  const live = read(client.live);
  if (!rollout) return () => live;
  const candidate = read(rollout.candidate);
  const getsCandidate = candidateRule(rollout);
  return (device) => (getsCandidate(device) ? candidate : live);
}

/** A configuration, and the language of its texts, if it is known. */
interface Localized {
  readonly configuration: Configuration;
  readonly language: string | undefined;
}

/** The configuration of a client, in the languages that were asked for. */
interface LocalizedConfiguration extends ServedConfiguration {
  /** Returns it in the best of its languages, or else in its own. */
  readonly in: (accepted: AcceptedLanguages) => Localized;
}

/**
 * Reads the configuration from a client's item. It is translated when a language is first asked
 * for, and kept by language, never by header: those are too many.
 *
 * @param grow counts the bytes of a translation.
 */
export function readLocalized(
  item: ConfigsItem,
  grow: (bytes: number) => void,
): LocalizedConfiguration {
  const read = readConfiguration(item);
  const kept = new Map<string, Localized>();
  const languages = new Set(read.translations.flatMap((one) => [...one.keys()]));
  const isTranslated = languages.size > 0;
  const own: Localized = { configuration: read.configuration, language: read.language };
  if (read.language !== undefined) {
    languages.add(read.language);
    kept.set(read.language, own);
  }
  let choose: ReturnType<typeof languageChooser> | undefined;
  return {
    ...read,
    in: (accepted) => {
      if (!isTranslated) return own;
      choose ??= languageChooser(languages, read.language);
      const language = choose(accepted);
      if (language === undefined) return own;
      let localized = kept.get(language);
      if (!localized) {
        localized = { configuration: translateConfiguration(read, language), language };
        kept.set(language, localized);
        grow(Buffer.byteLength(JSON.stringify(localized.configuration)));
      }
      return localized;
    },
  };
}
