export declare const OPTIONS_OF_TASKS: Readonly<Record<'start' | 'test:deep' | 'bench', readonly string[]>>
export declare function consumedByNpm(
  task: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined
