/** Options of the tasks that accept any, without their dashes. */
export declare const OPTIONS_OF_TASKS: Readonly<Record<'start' | 'test:deep' | 'bench', readonly string[]>>
/** Returns a sentence if npm has consumed an option of this task. */
export declare function keptByNpm(task: string, env: Readonly<Record<string, string | undefined>>): string | undefined
