import { address, variable } from './variable.ts'

export const usualBootstrapUrl = 'https://data.iana.org/rdap/dns.json'

/** Variables for the questions to the registries of domains. */
export const registryVariables = {
  RDAP_BOOTSTRAP_URL: variable({
    defaultText: usualBootstrapUrl,
    wrongText: 'data.iana.org',
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning:
      'List of the registries’ RDAP servers (RFC 9224), for services of type `domain`. It is read once a day, and only if there is such a service.',
  }),
}
