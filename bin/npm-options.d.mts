/** Options of the tasks that take some, without their dashes. */
export declare const OPTIONS_OF_TASKS: Readonly<Record<'start' | 'test:deep' | 'bench', readonly string[]>>
/** A sentence, where npm has kept an option of this task for itself. */
export declare function keptByNpm(task: string, env: Readonly<Record<string, string | undefined>>): string | undefined
