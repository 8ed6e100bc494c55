export { type Effect, effectSentence } from './effects/effect.ts';
export {
  joined,
  type Parts,
  plainText,
  type Sentence,
  say,
  shortenedParts,
} from './sentence.ts';
