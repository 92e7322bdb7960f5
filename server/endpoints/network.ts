import { endpoint } from '../endpoint.ts'
import { refusal } from '../operations/outcome.ts'

const SECURE_ADDRESS = { type: 'string', format: 'uri', examples: ['https://192.168.1.20:65401/api'] }
const LOCAL_ADDRESS = { type: 'string', format: 'uri', examples: ['http://192.168.1.20:65400/api'] }

export const networkEndpoints = [
  endpoint({
    method: 'get',
    path: '/get-secure-api-address',
    section: '4.1',
    summary: 'Full HTTPS address of the API',
    data: SECURE_ADDRESS,
    reaches: 'service',
    run: async ({ facts }) => {
      const address = await facts.addresses.secure()
      if (address === undefined) throw refusal(500, 'HTTPS is switched off in this service (--no-https).')
      return address
    },
  }),
  endpoint({
    method: 'get',
    path: '/get-local-api-address',
    section: '4.1',
    summary: 'Full HTTP address of the API in the local network',
    notes: 'The address that is really bound: while only loopback is bound, that is the loopback address.',
    data: LOCAL_ADDRESS,
    reaches: 'service',
    run: async ({ facts }) => facts.addresses.local(),
  }),
]
