import { createRequire } from 'node:module';

const preset = createRequire(import.meta.url)('@react-native/jest-preset');

/** The same tests on both platforms, with the mocks of React Native for its native parts. */
const platform = (defaultPlatform) => ({
  ...preset,
  displayName: defaultPlatform,
  haste: { ...preset.haste, defaultPlatform },
  // The app SDK is in a folder without these packages.
  modulePaths: ['<rootDir>/node_modules'],
  testMatch: ['<rootDir>/*.test.tsx'],
  transform: {
    ...preset.transform,
    '^.+\\.(js|ts|tsx)$': [
      'babel-jest',
      { configFile: false, presets: ['module:@react-native/babel-preset'] },
    ],
  },
});

// For a test that hangs: the first one of a new machine compiles React Native.
export default { projects: ['ios', 'android'].map(platform), testTimeout: 120_000 };
