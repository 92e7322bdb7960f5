/** Options of the tasks, without dashes. */
export declare const OPTIONS_OF_TASKS: Readonly<Record<'start' | 'test:deep' | 'bench', readonly string[]>>
/** Returns a message if npm has consumed an option of this task. */
export declare function consumedByNpm(
  task: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined
