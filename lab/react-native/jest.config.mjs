import { createRequire } from 'node:module';

const preset = createRequire(import.meta.url)('@react-native/jest-preset');

export const BABEL = { configFile: false, presets: ['module:@react-native/babel-preset'] };

/** The same tests on both platforms, with the mocks of React Native for its native parts. */
const platform = (defaultPlatform) => ({
  ...preset,
  displayName: defaultPlatform,
  haste: { ...preset.haste, defaultPlatform },
  // The app SDK is in a folder without these packages.
  modulePaths: ['<rootDir>/node_modules'],
  testMatch: ['<rootDir>/*.test.tsx'],
  moduleNameMapper: {
    ...preset.moduleNameMapper,
    '^customer-data-api-sdk$': '<rootDir>/../../packages/sdk/src/index.ts',
    '^customer-data-api-sdk/react-native$':
      '<rootDir>/../../packages/sdk/src/react-native/index.ts',
    '^customer-data-api-sdk/(react|testing)$': '<rootDir>/../../packages/sdk/src/$1.ts',
  },
  transform: {
    ...preset.transform,
    '\\.md$': '<rootDir>/jest-readme.mjs',
    '^.+\\.(js|ts|tsx)$': ['babel-jest', BABEL],
  },
});

// For a test that hangs: the first one of a new machine compiles React Native.
export default { projects: ['ios', 'android'].map(platform), testTimeout: 120_000 };
