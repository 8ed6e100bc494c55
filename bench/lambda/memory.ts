/** Adds what Lambda tells a function about its memory to its environment variables. */
export function withMemory(variables: NodeJS.ProcessEnv, megabytes: number): NodeJS.ProcessEnv {
  return { ...variables, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(megabytes) };
}
