import {
  address,
  addressRanges,
  onOrOff,
  pageHostNames,
  text,
  usernames,
  variable,
  wholeNumber,
  wildcardHosts,
} from './variable.ts'

/** Variables of the API's address. */
export const apiVariables = {
  HOST: variable({
    defaultText: '127.0.0.1',
    wrongText: 'a b',
    schema: text.regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or a host name'),
    type: 'address',
    meaning: 'Address that the API listens on; `0.0.0.0` or `::` for all.',
  }),
  PORT: variable({
    defaultText: '8080',
    wrongText: '65536',
    schema: wholeNumber(0, 65_535),
    type: 'number',
    meaning: 'Port of the API; 0 takes any free one.',
  }),
  PUBLIC_URL: variable({
    defaultText: undefined,
    wrongText: 'example.com',
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning: 'Public address of the API, for links in mails and in `Location`; unset: `http://HOST:PORT`.',
  }),
  STATUS_PAGE_HOSTS: variable({
    defaultText: undefined,
    wrongText: 'localhost',
    schema: pageHostNames,
    type: 'host list',
    meaning:
      'Host names that status pages may have for themselves once their owners prove them by a DNS record, such as `status.example.com` or `*.example.org`; `*`: any; unset: none.',
  }),
  STATUS_PAGE_FREE_HOSTS: variable({
    defaultText: undefined,
    wrongText: 'pages.example.com',
    schema: wildcardHosts,
    type: 'host list',
    meaning:
      'Wildcards of your own domain, such as `*.pages.example.com`, below which a status page takes any name without proof, first come first served. List none by which the API or another site of yours is reached.',
  }),
  STATUS_PAGE_PORT: variable({
    defaultText: undefined,
    wrongText: '65536',
    schema: wholeNumber(0, 65_535),
    type: 'number',
    meaning:
      'Separate port of status pages and badges, on `HOST`, where nothing else is served; the port of the API then leads there. 0 takes any free one; unset: the port of the API.',
  }),
  STATUS_PAGE_URL: variable({
    defaultText: undefined,
    wrongText: 'status.example.com',
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning: 'Public address of `STATUS_PAGE_PORT`; unset: `http://HOST:STATUS_PAGE_PORT`.',
  }),
  SUBSCRIBER_CONSENT_ACCOUNTS: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: usernames,
    type: 'username list',
    meaning:
      'Accounts that may subscribe mailboxes to their status pages from a file without asking each person, because they declare that these people agreed (docs/status-pages.md); `*`: all, if `REGISTRATION` is off; unset: none.',
  }),
  ACCOUNTABILITY_PAGE: variable({
    defaultText: 'off',
    wrongText: 'yes',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether everyone may see at `/accountability` how well this installation works: its lateness, missed rounds, stations and deliveries, without accounts or services.',
  }),
  MCP: variable({
    defaultText: 'on',
    wrongText: 'yes',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether assistants may call the API at `/mcp` (docs/assistants.md), with the tokens that open the API anyway.',
  }),
  TRUSTED_PROXIES: variable({
    defaultText: undefined,
    wrongText: 'proxy',
    schema: addressRanges,
    type: 'CIDR list',
    meaning: 'Reverse proxies whose `X-Forwarded-For` is trusted; unset: none.',
  }),
}
