/** Default of `--length`. The constant has its own file, so that the options do not load the simulation. */
export const DEFAULT_CASE_STEPS = 10
