import { isPort } from '../domain/services/address-with-port.ts'
import { address, matching, onOrOff, variable } from './variable.ts'

export const usualBootstrapUrl = 'https://data.iana.org/rdap/dns.json'

export const usualWhoisServer = 'whois.iana.org'

/** Variables for the questions to the registries of domains. */
export const registryVariables = {
  RDAP_BOOTSTRAP_URL: variable({
    defaultText: usualBootstrapUrl,
    wrongText: 'data.iana.org',
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning:
      'List of the registries’ RDAP servers (RFC 9224), for services of type `domain` and the domains of services’ hosts. It is read once a day, and only if there is a domain to ask for.',
  }),
  WHOIS_SERVER: variable({
    defaultText: usualWhoisServer,
    wrongText: 'whois://whois.iana.org',
    schema: matching(isHostWithPort, 'must be host or host:port'),
    type: 'host, host:port or empty',
    meaning:
      'WHOIS server that names the servers of top-level domains. It is asked for those that the list of RDAP servers does not have; empty: such domains are unknown.',
    emptyIsValue: true,
  }),
  WATCH_DOMAINS: variable({
    defaultText: 'on',
    wrongText: 'yes',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether the ends of the domains of services’ hosts are watched: their registries are asked once a day and domain. `off`: only those of services of type `domain`.',
  }),
}

function isHostWithPort(text: string): boolean {
  const [, port] = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]*)(?::(\d{1,5}))?$/i.exec(text) ?? [text, '0']
  return port === undefined || isPort(port)
}
