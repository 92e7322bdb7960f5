/** Version of the API, in `info.version` and the header `Api-Version`. A breaking change needs a new major version. */
export const API_VERSION = '1.0.0'
