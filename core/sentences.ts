export { type Effect, effectSentence } from './effects/effect.ts';
export {
  joined,
  type Parts,
  plainText,
  type Sentence,
  say,
  shortenedParts,
  withQuotes,
} from './sentence.ts';
