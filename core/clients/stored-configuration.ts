import { readItem } from '../aws/attribute-values.ts';
import type { ConfigsItem } from '../client-attributes.ts';
import { CONTENT, type StoredContent } from '../configuration/stored-content.ts';
import { canonicalJson, contentDigest } from './content-digest.ts';

/** A configuration that is stored: what is live, or the candidate of a rollout. */
export class StoredConfiguration<TContent extends StoredContent | undefined = StoredContent> {
  /** Its attributes in DynamoDB's JSON. Undefined if they are unknown, as of some versions. */
  readonly content: TContent;
  #digest: string | undefined;
  #attributes: ConfigsItem | undefined;

  /** @param digest the digest of the content, if it is known. */
  constructor(content: TContent, digest?: string) {
    this.content = content;
    this.#digest = digest;
  }

  /** `contentDigest` of the content, computed when it is first asked. */
  get digest(): string {
    this.#digest ??= contentDigest(this.content ?? {});
    return this.#digest;
  }

  /**
   * All of its attributes in one form: two are equal if a write of one over the other would change
   * nothing.
   */
  get written(): string {
    return CONTENT.map((name) => canonicalJson(this.content?.[name])).join();
  }

  /** Its attributes as they are served: numbers have the digits of JavaScript. */
  get attributes(): ConfigsItem {
    this.#attributes ??= readItem(this.content ?? {});
    return this.#attributes;
  }
}
