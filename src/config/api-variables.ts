import { address, addressRanges, hostNames, text, variable, wholeNumber } from './variable.ts'

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
    schema: hostNames,
    type: 'host list',
    meaning:
      'Host names that status pages may have for themselves, such as `status.example.com` or `*.pages.example.com`. Their owners choose among them, so list none by which the API is reached; unset: none.',
  }),
  TRUSTED_PROXIES: variable({
    defaultText: undefined,
    wrongText: 'proxy',
    schema: addressRanges,
    type: 'CIDR list',
    meaning: 'Reverse proxies whose `X-Forwarded-For` is trusted; unset: none.',
  }),
}
