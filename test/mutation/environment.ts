/** The environment variable that lists the mutated files, separated by commas, if they are not all. */
export const MUTATED_FILES = 'MUTATION_FILES';

/** The environment variable that names the folder of the cloud assembly, which is synthesized before there are mistakes. */
export const CLOUD_ASSEMBLY = 'MUTATION_CLOUD_ASSEMBLY';
