import { createRequire } from 'node:module';
import { BABEL } from './jest.config.mjs';

const { createTransformer } = createRequire(import.meta.url)('babel-jest').default;
const babel = createTransformer(BABEL);

/** Compiles the app of the README of the app SDK. */
export default {
  process: (text, path, options) => {
    const blocks = text.split('```tsx\n').map((block) => block.split('\n```')[0]);
    const app = blocks.find((block) => block.includes('customer-data-api-sdk/react-native'));
    return babel.process(app, `${path}.tsx`, options);
  },
};
