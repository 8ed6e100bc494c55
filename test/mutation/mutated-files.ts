/** The environment variable that lists the mutated files, separated by commas, if they are not all. */
export const MUTATED_FILES = 'MUTATION_FILES';
