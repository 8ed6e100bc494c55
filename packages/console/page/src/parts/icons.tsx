/*
 * The icons of the page, of Feather 4.29 (https://feathericons.com).
 * The MIT License (MIT), Copyright (c) 2013-2023 Cole Bemis: icons-licence.txt.
 */
const PATHS = {
  close: 'M18 6L6 18M6 6L18 18',
  elsewhere: 'M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6M15 3L21 3L21 9M10 14L21 3',
  phone:
    'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-16a2 2 0 0 1 2 -2M12 18L12.01 18',
  help: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17L12.01 17',
  warning:
    'M10.29 3.86L1.82 18a2 2 0 0 0 1.71 3h16.94a2 2 0 0 0 1.71-3L13.71 3.86a2 2 0 0 0-3.42 0zM12 9L12 13M12 17L12.01 17',
  error: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 8L12 12M12 16L12.01 16',
  add: 'M12 5L12 19M5 12L19 12',
  more: 'M12 12h.01M19 12h.01M5 12h.01',
  grip: 'M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01',
  undo: 'M1 4L1 10L7 10M3.51 15a9 9 0 1 0 2.13-9.36L1 10',
  redo: 'M23 4L23 10L17 10M20.49 15a9 9 0 1 1-2.12-9.36L23 10',
  done: 'M20 6L9 17L4 12',
  copy: 'M11 9h9a2 2 0 0 1 2 2v9a2 2 0 0 1 -2 2h-9a2 2 0 0 1 -2 -2v-9a2 2 0 0 1 2 -2M5 15H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v1',
};

/** A picture beside a text, or in a control that has a name. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
