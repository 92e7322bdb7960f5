/** The options of a command line that does something again; what is undefined or false is left out. */
export const optionWords = (options: Readonly<Record<string, string | number | boolean | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
