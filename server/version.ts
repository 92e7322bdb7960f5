/** Version of the API: `info.version` and the header `Api-Version`. Breaking changes only with a major version. */
export const API_VERSION = '1.0.0'
