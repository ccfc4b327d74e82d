import { isAbsolute } from 'node:path'
import * as z from 'zod'
import { coordinateBounds } from '../domain/services/coordinates.ts'
import { address, degrees, matching, text, variable, wholeNumber } from './variable.ts'

/** `http://` may be omitted, as in other programs. */
const proxyAddress = text
  .transform((proxy) => (proxy.includes('://') ? proxy : `http://${proxy}`))
  .pipe(address('http:', 'https:'))

/** Variables of stations, local and remote, and of their browser. */
export const sensorVariables = {
  LOCAL_SENSORS: variable({
    defaultText: '3',
    wrongText: '-1',
    schema: wholeNumber(0, 50),
    type: 'number',
    meaning: 'Stations inside this program, named `Local 1`, `Local 2` and so on.',
  }),
  SENSOR_SERVER: variable({
    defaultText: undefined,
    wrongText: 'core',
    schema: address('http:', 'https:'),
    type: 'URL',
    meaning: 'For `latarnik sensor` only: the address of its core’s API.',
  }),
  SENSOR_TOKEN: variable({
    defaultText: undefined,
    wrongText: 'short',
    schema: text.regex(/^[A-Za-z0-9_-]{20,200}$/, 'must be a token of `latarnik sensor add`'),
    type: 'text',
    isSecret: true,
    meaning: 'For `latarnik sensor` only: its token.',
  }),
  SENSOR_CITY: variable({
    defaultText: undefined,
    wrongText: 'x'.repeat(201),
    schema: text.max(200, 'must be at most 200 characters'),
    type: 'text',
    meaning: 'For `latarnik sensor` only: its city, unless an administrator has set one.',
  }),
  SENSOR_COUNTRY: variable({
    defaultText: undefined,
    wrongText: 'x'.repeat(201),
    schema: text.max(200, 'must be at most 200 characters'),
    type: 'text',
    meaning: 'For `latarnik sensor` only: its country, unless an administrator has set one.',
  }),
  SENSOR_LATITUDE: variable({
    defaultText: undefined,
    wrongText: '90.1',
    schema: degrees(coordinateBounds.latitude),
    type: 'degrees north',
    meaning:
      'For `latarnik sensor` only: its latitude on the map (WGS 84), unless an administrator has set one. Needs the longitude.',
  }),
  SENSOR_LONGITUDE: variable({
    defaultText: undefined,
    wrongText: 'east',
    schema: degrees(coordinateBounds.longitude),
    type: 'degrees east',
    meaning: 'For `latarnik sensor` only: its longitude. Needs the latitude.',
  }),
  HTTPS_PROXY: variable({
    defaultText: undefined,
    wrongText: 'ftp://proxy',
    schema: proxyAddress,
    type: 'URL',
    alias: 'https_proxy',
    isSecret: true,
    meaning:
      'For `latarnik sensor` only: the proxy, `http://user:password@host:3128`, through which it reaches its core.',
  }),
  NO_PROXY: variable({
    defaultText: undefined,
    wrongText: null,
    schema: text.transform((list) => list.split(/[\s,]+/).filter((host) => host !== '')),
    type: 'list',
    alias: 'no_proxy',
    meaning: 'Hosts, addresses and CIDR ranges reached without that proxy; `*` for all.',
  }),
  CHROMIUM_PATH: variable({
    defaultText: undefined,
    wrongText: 'chromium',
    schema: matching(isAbsolute, 'must be an absolute path'),
    type: 'file',
    meaning:
      'The browser for page checks; unset: `chromium-headless-shell` or `chromium` of the system, otherwise the one bundled through npm.',
  }),
  CHROMIUM_SANDBOX: variable({
    defaultText: 'auto',
    wrongText: 'maybe',
    schema: z.enum(['auto', 'on', 'off', 'container'], 'must be auto, on, off or container'),
    type: '`auto`, `on`, `off` or `container`',
    meaning:
      'Whether the browser runs in its sandbox. `auto`: yes, unless the user is root. `container`: no, because a container isolates it. With `off`, and as root, no pages are checked if `REGISTRATION=on`.',
  }),
}
