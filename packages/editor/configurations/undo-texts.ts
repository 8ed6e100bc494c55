/** The reason why a version cannot be undone alone. */
export type UndoObstacle = keyof typeof UNDO_OBSTACLES;

/** Ends a sentence that says that it cannot. */
export const UNDO_OBSTACLES = {
  oldest: 'because the history has no version before it',
  removed: 'because the client was removed',
  tooLarge: 'because its content, or that before it, was too large to be recorded',
  sameFields: 'because it changed no fields',
  noUniqueIds: 'because fields have no ids of their own',
  otherLanguage: 'because the texts are in another language since',
};
