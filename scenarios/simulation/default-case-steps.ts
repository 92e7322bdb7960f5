/** Default of `--length`: maximum number of steps per run. Here, so that the options do not load the simulation. */
export const DEFAULT_CASE_STEPS = 10
